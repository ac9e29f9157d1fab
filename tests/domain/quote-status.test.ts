import assert from 'node:assert/strict';
import { assertCanMove, canMove, isFinal, QUOTE_STATUSES, type Mover } from '../../domain/quote-status.ts';
import { ServiceError } from '../../domain/errors.ts';

/** One row per current status, one mark per requested status: x is allowed, . is refused. */
const table = (mover: Mover): string[] =>
  QUOTE_STATUSES.map((from) => {
    const marks = QUOTE_STATUSES.map((to) => (canMove(mover, from, to) ? 'x' : '.'));
    return `${from.padEnd(9)} ${marks.join(' ')}`;
  });

// Columns: GENERATED, SENT, WON, LOST, ACCEPTED, REJECTED.
describe('canMove', () => {
  it('a member moves a quote to sent, and then to won or lost', () => {
    assert.deepEqual(table('member'), [
      'GENERATED . x . . . .',
      'SENT      . . x x . .',
      'WON       . . . . . .',
      'LOST      . . . . . .',
      'ACCEPTED  . . . . . .',
      'REJECTED  . . . . . .',
    ]);
  });

  it('a sent mail moves a quote to sent', () => {
    assert.deepEqual(table('mail'), [
      'GENERATED . x . . . .',
      'SENT      . . . . . .',
      'WON       . . . . . .',
      'LOST      . . . . . .',
      'ACCEPTED  . . . . . .',
      'REJECTED  . . . . . .',
    ]);
  });

  it('the client in the portal accepts or rejects a sent quote', () => {
    assert.deepEqual(table('portal'), [
      'GENERATED . . . . . .',
      'SENT      . . . . x x',
      'WON       . . . . . .',
      'LOST      . . . . . .',
      'ACCEPTED  . . . . . .',
      'REJECTED  . . . . . .',
    ]);
  });

  it('an automation may make all of these moves', () => {
    assert.deepEqual(table('automation'), [
      'GENERATED . x . . . .',
      'SENT      . . x x x x',
      'WON       . . . . . .',
      'LOST      . . . . . .',
      'ACCEPTED  . . . . . .',
      'REJECTED  . . . . . .',
    ]);
  });
});

describe('a status change that is not allowed', () => {
  it('throws «No se puede cambiar de GENERATED a WON»', () => {
    assert.throws(
      () => assertCanMove('member', 'GENERATED', 'WON'),
      (error) =>
        error instanceof ServiceError &&
        error.kind === 'invalid_transition' &&
        error.message === 'No se puede cambiar de GENERATED a WON',
    );
  });

  it('includes the change to the present status', () => {
    assert.throws(() => assertCanMove('member', 'SENT', 'SENT'), /^ServiceError: No se puede cambiar de SENT a SENT$/);
  });

  it('is distinguished from an allowed one, which does not throw', () => {
    assert.doesNotThrow(() => assertCanMove('member', 'SENT', 'WON'));
  });
});

describe('isFinal', () => {
  it('holds for WON, LOST, ACCEPTED and REJECTED', () => {
    assert.deepEqual(QUOTE_STATUSES.filter(isFinal), ['WON', 'LOST', 'ACCEPTED', 'REJECTED']);
  });
});

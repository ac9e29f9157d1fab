import assert from 'node:assert/strict';
import { assertCanMove, canMove, isFinal, QUOTE_STATUSES, type Mover } from '../../domain/quote-status.ts';
import { ServiceError } from '../../domain/errors.ts';

/** One row per status a quote stands at, one mark per status it is asked to move to: x moves, . is refused. */
const table = (mover: Mover): string[] =>
  QUOTE_STATUSES.map((from) => {
    const marks = QUOTE_STATUSES.map((to) => (canMove(mover, from, to) ? 'x' : '.'));
    return `${from.padEnd(9)} ${marks.join(' ')}`;
  });

// Columns: GENERATED, SENT, WON, LOST, ACCEPTED, REJECTED.
describe('who moves a quote', () => {
  it('a member marks it sent, and then won or lost', () => {
    assert.deepEqual(table('member'), [
      'GENERATED . x . . . .',
      'SENT      . . x x . .',
      'WON       . . . . . .',
      'LOST      . . . . . .',
      'ACCEPTED  . . . . . .',
      'REJECTED  . . . . . .',
    ]);
  });

  it('the mail that went out marks it sent', () => {
    assert.deepEqual(table('mail'), [
      'GENERATED . x . . . .',
      'SENT      . . . . . .',
      'WON       . . . . . .',
      'LOST      . . . . . .',
      'ACCEPTED  . . . . . .',
      'REJECTED  . . . . . .',
    ]);
  });

  it('the client in the portal accepts or rejects what was sent', () => {
    assert.deepEqual(table('portal'), [
      'GENERATED . . . . . .',
      'SENT      . . . . x x',
      'WON       . . . . . .',
      'LOST      . . . . . .',
      'ACCEPTED  . . . . . .',
      'REJECTED  . . . . . .',
    ]);
  });

  it('an automation may do what any of them may', () => {
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
  it('says «No se puede cambiar de GENERATED a WON»', () => {
    assert.throws(
      () => assertCanMove('member', 'GENERATED', 'WON'),
      (error) =>
        error instanceof ServiceError &&
        error.kind === 'invalid_transition' &&
        error.message === 'No se puede cambiar de GENERATED a WON',
    );
  });

  it('includes the change to the status it already has', () => {
    assert.throws(() => assertCanMove('member', 'SENT', 'SENT'), /^ServiceError: No se puede cambiar de SENT a SENT$/);
  });

  it('does not throw when it is allowed', () => {
    assert.doesNotThrow(() => assertCanMove('member', 'SENT', 'WON'));
  });
});

describe('a final status', () => {
  it('is WON, LOST, ACCEPTED or REJECTED', () => {
    assert.deepEqual(QUOTE_STATUSES.filter(isFinal), ['WON', 'LOST', 'ACCEPTED', 'REJECTED']);
  });
});

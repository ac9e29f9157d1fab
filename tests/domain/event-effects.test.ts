import assert from 'node:assert/strict';
import { chainAfter, mayTrigger } from '../../domain/automation-chain.ts';
import { TRIGGERS } from '../../domain/automation.ts';
import { noticeOf, triggerOf } from '../../domain/event-effects.ts';
import { EVENT_TYPES } from '../../domain/event-types.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';

describe('effects of an event', () => {
  const table = (of: (...args: Parameters<typeof triggerOf>) => string | undefined) =>
    EVENT_TYPES.flatMap((type) =>
      (type === 'quote.status_changed' ? QUOTE_STATUSES : (['SENT'] as const)).flatMap((status) => {
        const found = of(type, status);
        return found === undefined ? [] : [[type, status, found]];
      }),
    );

  it('each trigger of automations belongs to exactly one of these events', () => {
    const triggers = table(triggerOf);

    assert.deepEqual(triggers, [
      ['quote.created', 'SENT', 'QUOTE_CREATED'],
      ['quote.status_changed', 'SENT', 'QUOTE_SENT'],
      ['quote.status_changed', 'WON', 'QUOTE_WON'],
      ['quote.status_changed', 'LOST', 'QUOTE_LOST'],
      ['quote.status_changed', 'ACCEPTED', 'QUOTE_ACCEPTED'],
      ['quote.status_changed', 'REJECTED', 'QUOTE_REJECTED'],
      ['quote.viewed', 'SENT', 'QUOTE_VIEWED'],
      ['quote.expiring', 'SENT', 'QUOTE_EXPIRING'],
    ]);
    assert.deepEqual(new Set(triggers.map(([, , trigger]) => trigger)), new Set(TRIGGERS));
  });

  it('these events create notifications', () => {
    assert.deepEqual(
      table((type, status) => noticeOf(type, status)?.type),
      [
        ['quote.status_changed', 'WON', 'quote_won'],
        ['quote.status_changed', 'LOST', 'quote_lost'],
        ['quote.status_changed', 'ACCEPTED', 'quote_accepted'],
        ['quote.status_changed', 'REJECTED', 'quote_rejected'],
        ['quote.viewed', 'SENT', 'quote_viewed'],
        ['quote.expiring', 'SENT', 'quote_expiring'],
      ],
    );
  });
});

describe('chain of automations', () => {
  const head = { depth: 0, automationPath: '' };

  it('a chain ends when two automations trigger each other', () => {
    const a = chainAfter('a', head);
    const b = chainAfter('b', a);

    assert.deepEqual(
      [mayTrigger('a', head), mayTrigger('b', a), mayTrigger('a', b), mayTrigger('b', b)],
      [true, true, false, false],
    );
  });

  it('a chain has at most three automations', () => {
    const three = ['a', 'b', 'c'].reduce((link, id) => chainAfter(id, link), head);

    assert.deepEqual(three, { depth: 3, automationPath: 'a,b,c' });
    assert.equal(mayTrigger('d', three), false);
    assert.equal(mayTrigger('d', { depth: 2, automationPath: 'a,b' }), true);
  });
});

import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { expiryMoments } from '../../domain/expiry.ts';
import { addDays, endOfDay, timeOfDay } from '../../domain/zone.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('times before a quote expires', () => {
  for (const [timeZone, day, days] of [
    ['America/Mexico_City', '2026-12-15', 3],
    ['America/Tijuana', '2026-03-10', 2],
    ['America/Santiago', '2026-09-07', 1],
    ['Africa/Cairo', '2026-10-31', 30],
    ['Pacific/Kiritimati', '2027-01-02', 5],
  ] as const) {
    it(`the reminder is at nine in the morning ${days} days before ${day} in ${timeZone}, the event 24 hours before the end`, () => {
      const expiresAt = endOfDay(day, timeZone);
      const quoteId = newId();
      const nine = timeOfDay(addDays(day, -days), '09:00', timeZone);

      const { remindAt, expiringAt } = expiryMoments({ quoteId, expiresAt, reminderDaysBefore: days, timeZone });

      const later = [remindAt.getTime() - nine.getTime(), expiringAt.getTime() - (expiresAt.getTime() - DAY_MS)];
      assert.ok(later.every((ms) => ms >= 0) && Number(later[0]) < 15 * MINUTE_MS && Number(later[1]) < 10 * MINUTE_MS);
      assert.deepEqual(expiryMoments({ quoteId, expiresAt, reminderDaysBefore: days, timeZone }), {
        remindAt,
        expiringAt,
      });
    });
  }

  it('the times of 10,000 quotes that expire together are spread over minutes, a few in each second', () => {
    const expiresAt = endOfDay('2026-12-15', 'America/Mexico_City');
    const moments = Array.from({ length: 10_000 }, () =>
      expiryMoments({ quoteId: newId(), expiresAt, reminderDaysBefore: 3, timeZone: 'America/Mexico_City' }),
    );

    for (const [what, minutes] of [
      ['remindAt', 15],
      ['expiringAt', 10],
    ] as const) {
      const inSecond = new Map<number, number>();
      for (const moment of moments) {
        const second = Math.floor(moment[what].getTime() / 1000);
        inSecond.set(second, (inSecond.get(second) ?? 0) + 1);
      }
      const mean = 10_000 / (minutes * 60);
      assert.ok(Math.max(...inSecond.values()) < 3.5 * mean, `${what}: ${Math.max(...inSecond.values())} in a second`);
      assert.ok(inSecond.size > 0.98 * minutes * 60, `${what}: ${inSecond.size} seconds`);
    }
  });
});

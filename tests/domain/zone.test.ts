import assert from 'node:assert/strict';
import { expiryAfter, isPast } from '../../domain/expiry.ts';
import { formatAmount, formatDay, formatExactMoment, formatMoment, formatUntil } from '../../domain/format.ts';
import {
  addDays,
  dayOf,
  endOfDay,
  firstDayOf,
  readTime,
  startOfDay,
  timeOfDay,
  timeZoneNamed,
} from '../../domain/zone.ts';

/** A zone, a day, and when it begins and ends: the instants are written out, from the published rules. */
const DAYS: readonly [zone: string, day: string, begins: string, ends: string, why: string][] = [
  ['America/Mexico_City', '2026-12-15', '2026-12-15T06:00:00.000Z', '2026-12-16T05:59:59.999Z', 'no daylight saving'],
  [
    'America/Mexico_City',
    '2026-07-01',
    '2026-07-01T06:00:00.000Z',
    '2026-07-02T05:59:59.999Z',
    'none in summer either',
  ],
  ['America/Tijuana', '2026-03-08', '2026-03-08T08:00:00.000Z', '2026-03-09T06:59:59.999Z', 'clocks forward at two'],
  ['America/Tijuana', '2026-11-01', '2026-11-01T07:00:00.000Z', '2026-11-02T07:59:59.999Z', 'clocks back at two'],
  ['America/Sao_Paulo', '2026-11-03', '2026-11-03T03:00:00.000Z', '2026-11-04T02:59:59.999Z', 'no longer any'],
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T01:59:59.999Z', 'begins at one'],
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T02:59:59.999Z', 'begins at one'],
  ['America/Santiago', '2026-04-04', '2026-04-04T03:00:00.000Z', '2026-04-05T03:59:59.999Z', 'its last hour twice'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T20:59:59.999Z', 'begins at one'],
  ['Africa/Cairo', '2026-10-29', '2026-10-28T21:00:00.000Z', '2026-10-29T21:59:59.999Z', 'its last hour twice'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z', 'its first hour twice'],
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z', '2026-03-29T20:59:59.999Z', 'begins at one'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', '2026-10-04T12:59:59.999Z', 'half an hour forward'],
  ['Asia/Kathmandu', '2026-12-15', '2026-12-14T18:15:00.000Z', '2026-12-15T18:14:59.999Z', 'a quarter of an hour'],
  ['UTC', '2028-02-29', '2028-02-29T00:00:00.000Z', '2028-02-29T23:59:59.999Z', 'a leap day'],
  ['Pacific/Kiritimati', '2026-12-31', '2026-12-30T10:00:00.000Z', '2026-12-31T09:59:59.999Z', 'first into a year'],
  ['Pacific/Pago_Pago', '2026-12-31', '2026-12-31T11:00:00.000Z', '2027-01-01T10:59:59.999Z', 'last into a year'],
];

describe('days of a time zone', () => {
  for (const [zone, day, begins, ends, why] of DAYS) {
    it(`${day} in ${zone} lasts from ${begins} to ${ends} (${why})`, () => {
      const [first, last] = [startOfDay(day, zone), endOfDay(day, zone)];

      assert.deepEqual([first.toISOString(), last.toISOString()], [begins, ends]);
      assert.deepEqual([dayOf(first, zone), dayOf(last, zone)], [day, day]);
      assert.equal(dayOf(new Date(first.getTime() - 1), zone), addDays(day, -1));
      assert.equal(dayOf(new Date(last.getTime() + 1), zone), addDays(day, 1));
    });

    it(`a quote made in the first or the last minute of ${day} in ${zone} expires at the end of the same day`, () => {
      const made = [startOfDay(day, zone), endOfDay(day, zone)].map((at) => expiryAfter(at, 15, zone));
      const expected = endOfDay(addDays(day, 15), zone);

      assert.deepEqual(made, [expected, expected]);
      assert.deepEqual(
        [0, 1].map((later) => isPast(expected, new Date(expected.getTime() + later))),
        [false, true],
      );
    });
  }

  it('weeks begin on Monday and months on the first, across years', () => {
    assert.deepEqual(
      ['2027-01-03', '2026-12-28', '2028-03-01'].map((day) => [firstDayOf('week', day), firstDayOf('month', day)]),
      [
        ['2026-12-28', '2027-01-01'],
        ['2026-12-28', '2026-12-01'],
        ['2028-02-28', '2028-03-01'],
      ],
    );
  });

  it('nine in the morning occurs once, also on days with a transition', () => {
    assert.equal(timeOfDay('2026-03-08', '09:00', 'America/Tijuana').toISOString(), '2026-03-08T16:00:00.000Z');
    assert.equal(timeOfDay('2026-11-01', '09:00', 'America/Tijuana').toISOString(), '2026-11-01T17:00:00.000Z');
    assert.equal(timeOfDay('2026-09-06', '09:00', 'America/Santiago').toISOString(), '2026-09-06T12:00:00.000Z');
  });
});

describe('timeZoneNamed', () => {
  for (const [given, name] of [
    ['America/Mexico_City', 'America/Mexico_City'],
    ['america/tijuana', 'America/Tijuana'],
    ['utc', 'UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['US/Pacific', 'US/Pacific'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ] as const)
    it(`accepts ${given}`, () => assert.equal(timeZoneNamed(given), name));

  for (const text of [
    '',
    'Mars/Olympus',
    '+05:30',
    '-06:00',
    'America/Mexico_City ',
    'México',
    '2026-01-01[UTC]',
    '../UTC',
  ])
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(timeZoneNamed(text), undefined));
});

describe('readTime', () => {
  const zone = 'America/Mexico_City';
  for (const [text, from, until] of [
    ['2026-11-29', '2026-11-29T06:00:00.000Z', '2026-11-30T06:00:00.000Z'],
    ['20261129', '2026-11-29T06:00:00.000Z', '2026-11-30T06:00:00.000Z'],
    ['2026-11-29T00:00:00', '2026-11-29T06:00:00.000Z', '2026-11-29T06:00:00.001Z'],
    ['2026-11-29T18:30', '2026-11-30T00:30:00.000Z', '2026-11-30T00:30:00.001Z'],
    ['2026-11-29T18', '2026-11-30T00:00:00.000Z', '2026-11-30T00:00:00.001Z'],
    ['2026-11-29 18:30', '2026-11-30T00:30:00.000Z', '2026-11-30T00:30:00.001Z'],
    ['2026-11-29T18:30:05,25', '2026-11-30T00:30:05.250Z', '2026-11-30T00:30:05.251Z'],
    ['2026-11-29T18:30Z', '2026-11-29T18:30:00.000Z', '2026-11-29T18:30:00.001Z'],
    ['20261129T183000-0300', '2026-11-29T21:30:00.000Z', '2026-11-29T21:30:00.001Z'],
    ['2026-11-29T18:30:00+14', '2026-11-29T04:30:00.000Z', '2026-11-29T04:30:00.001Z'],
  ] as const)
    it(`parses ${text} as ${from} until ${until}`, () => {
      const found = readTime(text, zone);

      assert.deepEqual([found?.from.toISOString(), found?.until.toISOString()], [from, until]);
    });

  it('parses a local time that clocks skip as the moment at which it would have been', () => {
    assert.equal(readTime('2026-03-08T02:30', 'America/Tijuana')?.from.toISOString(), '2026-03-08T10:30:00.000Z');
  });

  for (const text of [
    '',
    'ayer',
    '2026-02-30',
    '2026-13-01',
    '2026-11-29T25:00',
    '2026-11-29T10:00:60Z',
    '26-11-29',
    '2026-11-29T10:00[UTC]',
    '2026-11-29Z',
  ])
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(readTime(text, zone), undefined));
});

describe('dates in words', () => {
  it('show the day of the zone, and hour and zone unless it is the end of a day', () => {
    const at = '2026-12-11T00:30:05.000Z';
    const said = ['America/Mexico_City', 'America/Sao_Paulo', 'UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati'].map(
      (timeZone) => [formatDay(at, { timeZone, locale: 'es-MX' }), formatUntil(at, { timeZone, locale: 'es-MX' })],
    );

    assert.deepEqual(said, [
      ['10 de diciembre de 2026', '10 de diciembre de 2026, 18:30 (UTC-6)'],
      ['10 de diciembre de 2026', '10 de diciembre de 2026, 21:30 (UTC-3)'],
      ['11 de diciembre de 2026', '11 de diciembre de 2026, 00:30 (UTC)'],
      ['11 de diciembre de 2026', '11 de diciembre de 2026, 06:15 (UTC+5:45)'],
      ['11 de diciembre de 2026', '11 de diciembre de 2026, 14:30 (UTC+14)'],
    ]);
  });

  it('omit hour and zone at the end of a day only in the zone of that day', () => {
    const end = endOfDay('2026-12-15', 'America/Santiago').toISOString();

    assert.equal(formatUntil(end, { timeZone: 'America/Santiago', locale: 'es-MX' }), '15 de diciembre de 2026');
    assert.equal(
      formatUntil(end, { timeZone: 'America/Mexico_City', locale: 'es-MX' }),
      '15 de diciembre de 2026, 20:59 (UTC-6)',
    );
  });

  it("show the offset on the date, not today's", () => {
    const timeZone = 'America/Tijuana';

    assert.equal(
      formatMoment('2026-07-01T19:00:00Z', { timeZone, locale: 'es-MX' }),
      '1 de julio de 2026, 12:00 (UTC-7)',
    );
    assert.equal(
      formatExactMoment('2026-12-01T20:00:09Z', { timeZone, locale: 'es-MX' }),
      '1 de diciembre de 2026, 12:00:09 (UTC-8)',
    );
  });
});

describe('formatAmount', () => {
  for (const [amount, currency, said] of [
    ['4294.00', 'CLP', '$4,294'],
    ['4294.00', 'JPY', '¥4,294'],
    ['1160.000', 'KWD', '1,160.000'],
    ['1160.00', 'PYG', '₲1,160'],
    ['0.125', 'EUR', '€0.125'],
    ['-5.00', 'MXN', '-$5.00'],
    ['0.00', 'USD', '$0.00'],
  ] as const)
    it(`formats ${amount} ${currency} as ${said}`, () => assert.equal(formatAmount(amount, currency, 'es-MX'), said));
});

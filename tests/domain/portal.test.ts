import assert from 'node:assert/strict';
import { canRespond, consentText, judgeAnswer } from '../../domain/portal.ts';
import { QUOTE_STATUSES, type QuoteStatus } from '../../domain/quote-status.ts';

const NOW = new Date('2026-12-01T12:00:00.000Z');
const before = new Date(NOW.getTime() - 1);
const later = new Date(NOW.getTime() + 1);
const quote = (status: QuoteStatus, expiresAt = later) => ({ status, version: 2, expiresAt });

const judged = (...args: Parameters<typeof judgeAnswer>): string => {
  try {
    return judgeAnswer(...args);
  } catch (error) {
    return (error as Error).message;
  }
};

describe('judgeAnswer', () => {
  it('gives the result of this table for an acceptance and a rejection of every status', () => {
    const table = QUOTE_STATUSES.map((status) => [
      status,
      judged(quote(status), { outcome: 'ACCEPTED', version: 2 }, NOW),
      judged(quote(status), { outcome: 'REJECTED' }, NOW),
    ]);

    const answered = 'La cotización ya fue respondida';
    assert.deepEqual(table, [
      ['GENERATED', 'Cotización no encontrada', 'Cotización no encontrada'],
      ['SENT', 'new', 'new'],
      ['WON', answered, answered],
      ['LOST', answered, answered],
      ['ACCEPTED', 'given', answered],
      ['REJECTED', answered, 'given'],
    ]);
  });

  it('reports a changed version before a lapsed quote', () => {
    const lapsed = quote('SENT', before);

    assert.equal(judged(lapsed, { outcome: 'ACCEPTED', version: 1 }, NOW), 'La versión de la cotización cambió');
    assert.equal(judged(lapsed, { outcome: 'ACCEPTED', version: 2 }, NOW), 'La cotización venció');
  });

  it('accepts a decision in the millisecond of expiry, and none in the next', () => {
    assert.deepEqual(
      [NOW, before].map((expiresAt) => canRespond(quote('SENT', expiresAt), NOW)),
      [true, false],
    );
  });
});

describe('consentText', () => {
  it('contains number, version, total and last day', () => {
    const text = consentText({
      displayNumber: 'COT-12',
      version: 3,
      total: '1160.00',
      currency: 'MXN',
      expiresAt: '2026-12-16T05:59:59.999Z',
      timeZone: 'America/Mexico_City',
      locale: 'es-MX',
    });

    assert.match(
      text,
      /COT-12, versión 3, por un total de \$1,160\.00 MXN, vigente hasta el 15 de diciembre de 2026\. /,
    );
  });
});

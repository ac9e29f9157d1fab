import assert from 'node:assert/strict';
import { renderLine, renderText, TEXT_VARIABLES, unknownVariables } from '../../domain/template-text.ts';
import { FACTS } from './automation-facts.ts';

const withName = (contactName: string) => ({ ...FACTS, client: { ...FACTS.client, contactName } });

describe('texts with variables', () => {
  const values: [string, string][] = [
    ['quote.quoteNumber', '12'],
    ['quote.status', 'SENT'],
    ['quote.subtotal', '$1,000.00'],
    ['quote.tax', '$160.00'],
    ['quote.total', '$1,160.00'],
    ['quote.currency', 'MXN'],
    ['quote.notes', 'Entrega URGENTE en Ñuñoa'],
    ['quote.expiresAt', '15 de diciembre de 2026'],
    ['quote.url', 'https://cotiza.example/p/abc'],
    ['client.contactName', 'Laura Méndez'],
    ['client.companyName', 'La Palma'],
    ['client.email', 'laura@palma.example'],
    ['client.phone', ''],
    ['business.companyName', 'Acme'],
    ['business.email', 'hola@acme.example'],
    ['business.phone', '55 1234'],
    ['user.name', 'Diana'],
  ];
  for (const [name, value] of values) {
    it(`{{${name}}} is «${value}»`, () => {
      assert.equal(renderText(`[{{${name}}}]`, FACTS), `[${value}]`);
    });
  }

  it('are those and no others', () => {
    assert.deepEqual([...TEXT_VARIABLES].sort(), values.map(([name]) => name).sort());
  });

  it('take spaces within the braces, and several variables', () => {
    assert.equal(
      renderText('{{ client.contactName }}: {{quote.total}} {{quote.currency}}', FACTS),
      'Laura Méndez: $1,160.00 MXN',
    );
  });

  it('never read again what was put in', () => {
    assert.equal(
      renderText('Hola {{client.contactName}}', withName('{{quote.total}} $& $1')),
      'Hola {{quote.total}} $& $1',
    );
  });

  it('leave other braces as they are', () => {
    for (const text of ['{quote.total}', '{{quote.total', 'a }} b', '{ {quote.total} }', '']) {
      assert.equal(renderText(text, FACTS), text);
      assert.deepEqual(unknownVariables(text), []);
    }
  });

  it('name each unknown variable once, also those that every object has', () => {
    assert.deepEqual(
      unknownVariables('{{quote.total}} {{quote.iva}} {{constructor}} {{ quote.iva }} {{}} {{__proto__}}'),
      ['quote.iva', 'constructor', '', '__proto__'],
    );
  });

  it('put nothing for a variable that is unknown', () => {
    assert.equal(renderText('a{{constructor}}b', FACTS), 'ab');
  });

  describe('in one line', () => {
    it('lose line breaks and control characters, so that no header can be added', () => {
      assert.equal(
        renderLine('Para {{client.contactName}}', withName('Ana\r\nBcc: a@b.mx\u2028\0x')),
        'Para Ana Bcc: a@b.mx x',
      );
    });

    it('end after 255 characters', () => {
      assert.equal(renderLine('{{client.contactName}}', withName('ñ'.repeat(300))), 'ñ'.repeat(255));
    });
  });
});

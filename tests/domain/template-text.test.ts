import assert from 'node:assert/strict';
import { renderLine, renderText, TEXT_VARIABLES, unknownVariables } from '../../domain/template-text.ts';
import { FACTS } from './automation-facts.ts';

const withName = (contactName: string) => ({ ...FACTS, client: { ...FACTS.client, contactName } });

describe('renderText', () => {
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
    ['quote.displayNumber', 'COT-12'],
    ['user.name', 'Diana'],
  ];
  for (const [name, value] of values) {
    it(`renders {{${name}}} as «${value}»`, () => {
      assert.equal(renderText(`[{{${name}}}]`, FACTS), `[${value}]`);
    });
  }

  it('knows exactly these variables', () => {
    assert.deepEqual([...TEXT_VARIABLES].sort(), values.map(([name]) => name).sort());
  });

  it('accepts spaces within the braces, and several variables', () => {
    assert.equal(
      renderText('{{ client.contactName }}: {{quote.total}} {{quote.currency}}', FACTS),
      'Laura Méndez: $1,160.00 MXN',
    );
  });

  it('does not parse inserted values', () => {
    assert.equal(
      renderText('Hola {{client.contactName}}', withName('{{quote.total}} $& $1')),
      'Hola {{quote.total}} $& $1',
    );
  });

  it('leaves other braces as they are', () => {
    for (const text of ['{quote.total}', '{{quote.total', 'a }} b', '{ {quote.total} }', '']) {
      assert.equal(renderText(text, FACTS), text);
      assert.deepEqual(unknownVariables(text), []);
    }
  });

  it('reports each unknown variable once, also names of Object.prototype', () => {
    assert.deepEqual(
      unknownVariables('{{quote.total}} {{quote.iva}} {{constructor}} {{ quote.iva }} {{}} {{__proto__}}'),
      ['quote.iva', 'constructor', '', '__proto__'],
    );
  });

  it('renders an unknown variable as nothing', () => {
    assert.equal(renderText('a{{constructor}}b', FACTS), 'ab');
  });

  describe('renderLine', () => {
    it('removes line breaks and control characters, so that no header can be added', () => {
      assert.equal(
        renderLine('Para {{client.contactName}}', withName('Ana\r\nBcc: a@b.mx\u2028\0x')),
        'Para Ana Bcc: a@b.mx x',
      );
    });

    it('truncates after 255 characters', () => {
      assert.equal(renderLine('{{client.contactName}}', withName('ñ'.repeat(300))), 'ñ'.repeat(255));
    });
  });
});

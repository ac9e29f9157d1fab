import assert from 'node:assert/strict';
import { legalIdentity, taxIdLabel, taxIdLine, taxIdProblem } from '../../domain/tax-id.ts';

describe('a tax id', () => {
  for (const [country, label] of [
    ['MX', 'RFC'],
    ['CO', 'NIT'],
    ['CL', 'RUT'],
    ['AR', 'CUIT'],
    ['PE', 'RUC'],
    ['DO', 'RNC'],
    ['BR', 'CNPJ'],
    ['US', 'ID fiscal'],
    ['ES', 'ID fiscal'],
  ] as const) {
    it(`is called ${label} in ${country}`, () => {
      assert.equal(taxIdLabel(country, 'es-MX'), label);
    });
  }

  const RIGHT = [
    'GODE561231GR8',
    'MAB9307148T4',
    'SAT970701NN3',
    'mab-930714-8t4',
    'GODE 561231 GR8',
    'XAXX010101000',
    'XEXX010101000',
  ];
  for (const rfc of RIGHT) {
    it(`«${rfc}» is a valid RFC`, () => {
      assert.equal(taxIdProblem(rfc, 'MX'), undefined);
    });
  }

  for (const rfc of ['GODE561231GR9', 'MAB9307148T3', 'SAT970701NNA', 'ÑA&970701NN3']) {
    it(`«${rfc}» has a wrong check digit`, () => {
      assert.equal(taxIdProblem(rfc, 'MX'), 'el dígito verificador del RFC no coincide');
    });
  }

  for (const text of [
    'GODE561331GR8',
    'GODE560230GR8',
    'MAB930714',
    'AB9307148T4',
    '12-3456789',
    '900.123.456-7',
    'GODE561231GRB',
    'no tiene',
  ]) {
    it(`«${text}» does not have the form of an RFC`, () => {
      assert.equal(taxIdProblem(text, 'MX'), 'no tiene la forma de un RFC');
    });
  }

  for (const [text, country] of [
    ['900.123.456-7', 'CO'],
    ['12-3456789', 'US'],
    ['no tiene', 'BR'],
  ] as const) {
    it(`«${text}» is not checked in ${country}`, () => {
      assert.equal(taxIdProblem(text, country), undefined);
    });
  }

  for (const [taxId, country, line] of [
    ['mab-930714-8t4', 'MX', 'RFC: MAB9307148T4'],
    ['MAB930714', 'MX', 'RFC: MAB930714'],
    ['GODE\n561231 GR9', 'MX', 'RFC: GODE 561231 GR9'],
    ['900.123.456-7', 'CO', 'NIT: 900.123.456-7'],
    [' ', 'MX', null],
    [null, 'MX', null],
  ] as const) {
    it(`${JSON.stringify(taxId)} of ${country} is printed as ${JSON.stringify(line)}`, () => {
      assert.equal(taxIdLine({ taxId, country }, 'es-MX'), line);
    });
  }

  it('the legal name precedes it where that differs from the name that clients know', () => {
    const business = {
      companyName: 'Roble',
      legalName: 'Muebles Roble, S.A. de C.V.',
      taxId: 'MAB9307148T4',
      country: 'MX',
    };

    assert.deepEqual(legalIdentity(business, 'es-MX'), ['Muebles Roble, S.A. de C.V.', 'RFC: MAB9307148T4']);
    assert.deepEqual(legalIdentity({ ...business, legalName: 'Roble' }, 'es-MX'), ['RFC: MAB9307148T4']);
    assert.deepEqual(legalIdentity({ ...business, taxId: null }, 'es-MX'), ['Muebles Roble, S.A. de C.V.']);
    assert.deepEqual(legalIdentity({ ...business, legalName: null, taxId: null }, 'es-MX'), []);
  });
});

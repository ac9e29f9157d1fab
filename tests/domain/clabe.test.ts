import assert from 'node:assert/strict';
import { accountOf, clabeProblem } from '../../domain/clabe.ts';

describe('a CLABE', () => {
  for (const right of [
    '032180000118359719',
    '002115016003269411',
    '0321 8000 0118 3597-19',
    ' 002-115-01600326941-1 ',
  ]) {
    it(`«${right}» is a valid CLABE`, () => {
      assert.equal(clabeProblem(right), undefined);
    });
  }

  for (const wrong of ['032180000118359710', '023180000118359719', '002115016003269412', '000000000000000001']) {
    it(`«${wrong}» has a wrong check digit`, () => {
      assert.equal(clabeProblem(wrong), 'el dígito de control de la CLABE no coincide');
    });
  }

  for (const wrong of [
    '',
    '1234',
    '03218000011835971',
    '0321800001183597190',
    'DE89370400440532013000',
    '03218000011835971x',
  ]) {
    it(`«${wrong}» does not have 18 digits`, () => {
      assert.equal(clabeProblem(wrong), 'la CLABE debe tener 18 dígitos');
    });
  }

  it('a valid CLABE is printed in groups of 3, 3, 11 and 1 digits however it was typed, and copied without spaces', () => {
    const account = { label: 'CLABE', printed: '032 180 00011835971 9', copied: '032180000118359719' };

    assert.deepEqual(accountOf('032180000118359719', 'MX', 'es-MX'), account);
    assert.deepEqual(accountOf('0321 8000 0118 3597-19', 'MX', 'es-MX'), account);
  });

  for (const typed of ['032180000118359710', 'DE89 3704 0044 0532 0130 00', '12-34']) {
    it(`an invalid CLABE is printed as typed: «${typed}»`, () => {
      assert.deepEqual(accountOf(typed, 'MX', 'es-MX'), { label: 'CLABE', printed: typed, copied: typed });
    });
  }

  it('an account outside Mexico is printed as typed', () => {
    const typed = '032180000118359719';

    assert.deepEqual(accountOf(typed, 'CO', 'es-MX'), { label: 'Cuenta', printed: typed, copied: typed });
  });
});

import assert from 'node:assert/strict';
import { paperOf } from '../../domain/paper.ts';

describe('the paper of a country', () => {
  for (const country of ['MX', 'US', 'CA', 'CO', 'CL', 'CR', 'DO', 'GT', 'HN', 'NI', 'PA', 'PH', 'PR', 'SV', 'VE']) {
    it(`is Letter in ${country}`, () => {
      assert.equal(paperOf(country), 'LETTER');
    });
  }

  for (const country of ['BR', 'AR', 'PE', 'ES', 'DE', 'JP']) {
    it(`is A4 in ${country}`, () => {
      assert.equal(paperOf(country), 'A4');
    });
  }
});

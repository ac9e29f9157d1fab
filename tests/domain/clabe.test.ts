import assert from 'node:assert/strict';
import { groupedClabe } from '../../domain/clabe.ts';

describe('a CLABE', () => {
  it('is written in groups of 3, 3, 11 and 1 digits', () => {
    assert.equal(groupedClabe('032180000118359719'), '032 180 00011835971 9');
  });

  it('is grouped anew when it was typed with spaces or hyphens', () => {
    assert.equal(groupedClabe('0321 8000 0118 3597-19'), '032 180 00011835971 9');
  });

  it('stays as it was typed when it has not 18 digits', () => {
    assert.equal(groupedClabe('DE89 3704 0044 0532 0130 00'), 'DE89 3704 0044 0532 0130 00');
  });
});

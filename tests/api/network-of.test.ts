import assert from 'node:assert/strict';
import { networkOf, queueKeyOf } from '../../api/network-of.ts';

describe('An address that calls count against', () => {
  it('is itself for IPv4, mapped into IPv6 too', () => {
    assert.equal(networkOf('203.0.113.7'), '203.0.113.7');
    assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7');
  });

  it('is its /64 for IPv6: another address of the same network is the same caller, the next network is another', () => {
    const [one, same, other] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:0:0:9', '2001:db8:1:3::1'].map(networkOf);

    assert.equal(one, '2001:db8:1:2::/64');
    assert.equal(same, one);
    assert.notEqual(other, one);
  });

  it('is the text itself where it is no address', () => assert.equal(networkOf('unknown'), 'unknown'));

  it('takes turns by its /24 for IPv4 and by its /64 for IPv6', () => {
    assert.deepEqual(['203.0.113.7', '::ffff:203.0.113.200', '203.0.112.7', '2001:db8:1:2::1'].map(queueKeyOf), [
      '203.0.113.0/24',
      '203.0.113.0/24',
      '203.0.112.0/24',
      '2001:db8:1:2::/64',
    ]);
  });
});

import assert from 'node:assert/strict';
import { clientNetworkOf, networkOf } from '../../api/network-of.ts';

describe('Rate-limit key of an address', () => {
  it('is the address for IPv4, also if mapped into IPv6', () => {
    assert.equal(networkOf('203.0.113.7'), '203.0.113.7');
    assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7');
  });

  it('is the /64 network for IPv6', () => {
    const [one, same, other] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:0:0:9', '2001:db8:1:3::1'].map(networkOf);

    assert.equal(one, '2001:db8:1:2::/64');
    assert.equal(same, one);
    assert.notEqual(other, one);
  });

  it('is the text itself for a malformed address', () => assert.equal(networkOf('unknown'), 'unknown'));
});

describe('Network of a client, for scheduling and counting failed sign-ins', () => {
  it('is the /24 of an IPv4 address, also if mapped into IPv6', () => {
    assert.equal(clientNetworkOf('203.0.113.7'), '203.0.113.0/24');
    assert.equal(clientNetworkOf('::ffff:203.0.113.9'), '203.0.113.0/24');
    assert.equal(clientNetworkOf('203.0.114.7'), '203.0.114.0/24');
  });

  it('is the /64 of an IPv6 address', () => assert.equal(clientNetworkOf('2001:db8:1:2::1'), '2001:db8:1:2::/64'));

  it('is the text itself for a malformed address', () => assert.equal(clientNetworkOf('unknown'), 'unknown'));
});

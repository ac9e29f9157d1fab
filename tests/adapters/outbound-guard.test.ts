import assert from 'node:assert/strict';
import { isPermitted, parseAllowed } from '../../adapters/outbound-http/addresses.ts';
import { outboundUrl } from '../../adapters/outbound-http/addresses.ts';

const BLOCKED = [
  // IPv4: each range at both of its edges.
  '0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.0', '127.0.0.1',
  '127.255.255.255', '169.254.0.0', '169.254.169.254', '169.254.255.255', '172.16.0.0', '172.31.255.255', '192.0.0.0',
  '192.0.0.255', '192.0.2.0', '192.0.2.255', '192.88.99.0', '192.88.99.255', '192.168.0.0', '192.168.255.255',
  '198.18.0.0', '198.19.255.255', '198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255', '224.0.0.0',
  '239.255.255.255', '240.0.0.0', '255.255.255.255', '168.63.129.16', '100.100.100.200',
  // IPv6.
  '::', '::1', '::2', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fd00:ec2::254', 'fe80::', 'fe80::1',
  'febf:ffff::1', 'fec0::1', 'feff::1', 'ff00::', 'ff02::1', '2001:db8::1', '2001::', '2001:0:5ef5:79fd::1',
  '2001:10::1', '2001:1ff:ffff::', '3fff::1', '3fff:fff::1', '5f00::1', '100::1', '100:0:0:1::1',
  // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4; also when the address inside is public.
  '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe',
  '0:0:0:0:0:ffff:c0a8:1', '::127.0.0.1', '::7f00:1', '::a9fe:a9fe', '::8.8.8.8', '::ffff:0:127.0.0.1',
  '::ffff:0:8.8.8.8', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::8.8.8.8', '64:ff9b:1::1',
  '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1',
  // Invalid or ambiguous addresses, which must not be called.
  '', ' ', 'localhost', '127.1', '0x7f000001', '2130706433', '0177.0.0.1', '08.8.8.8', '8.8.8.8 ', '8.8.8', '8.8.8.8.8',
  '256.1.1.1', 'fe80::1%eth0', '2606:4700::1%lo', '[::1]', '::g', ':::', '١٢٧.٠.٠.١',
]; // prettier-ignore

const PERMITTED = [
  '1.0.0.0', '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255',
  '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.0.3.0',
  '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255',
  '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '168.63.129.15', '168.63.129.17',
  '2606:4700:4700::1111', '2001:4860:4860::8888', '2001:200::1', '2001:db7::1', '2001:db9::1', '2003::1', '2400::1',
  '2a00:1450::1', '3ffe::1', '64:ff9a::1', '::ffff:8.8.8.8', '::ffff:808:808',
]; // prettier-ignore

describe('outbound guard: addresses', () => {
  for (const address of BLOCKED) {
    it(`blocks ${JSON.stringify(address)}`, () => {
      assert.equal(isPermitted(address), false);
    });
  }

  for (const address of PERMITTED) {
    it(`permits ${address}`, () => {
      assert.equal(isPermitted(address), true);
    });
  }

  describe('outbound guard: ranges opened by OUTBOUND_ALLOW_CIDRS', () => {
    const everything = parseAllowed('0.0.0.0/0,::/0');

    it('permits addresses in them, also mapped ones, and no others', () => {
      const allowed = parseAllowed('127.0.0.0/8, ::1/128');

      const permitted = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '8.8.8.8'].map((text) => isPermitted(text, allowed));
      const blocked = ['10.0.0.1', '::2', '64:ff9b::127.0.0.1', '::127.0.0.1', '2002:7f00:1::'];

      assert.deepEqual(permitted, [true, true, true, true]);
      assert.deepEqual(
        blocked.filter((text) => isPermitted(text, allowed)),
        [],
      );
    });

    // Each server and range that no setting opens, then embedded in each kind of address that can carry it.
    for (const metadata of [
      '169.254.169.254',
      '169.254.0.1',
      '168.63.129.16',
      '100.100.100.200',
      '192.0.0.192',
      'fe80::1',
      'fd00:ec2::254',
      'fd20:ce::254',
      'fd00:42::42',
      '::ffff:169.254.169.254',
      '::169.254.169.254',
      '::ffff:0:169.254.169.254',
      '64:ff9b::169.254.169.254',
      '64:ff9b:1:a83f:81:1000::',
      '64:ff9b:1:0:a9:fea9:fe00:0',
      '64:ff9b:1::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
      '2002:6464:64c8::',
      '2001:0:a9fe:a9fe::',
      '2001::5601:5601',
    ]) {
      it(`never permits ${metadata}, even when everything is opened`, () => {
        assert.equal(isPermitted(metadata, everything), false);
      });
    }

    it('refuses a setting that is no list of ranges', () => {
      assert.throws(() => parseAllowed('127.0.0.0/8,lo'), /OUTBOUND_ALLOW_CIDRS/);
      assert.throws(() => parseAllowed('127.0.0.1'), /OUTBOUND_ALLOW_CIDRS/);
      assert.deepEqual(parseAllowed(''), []);
    });
  });
});

describe('outbound guard: URLs', () => {
  const refused = [
    // Every spelling of loopback and of the metadata address.
    'http://127.0.0.1', 'http://127.1', 'http://127.0.1', 'http://2130706433', 'http://0x7f000001', 'http://0x7f.1',
    'http://0177.0.0.1', 'http://017700000001', 'http://0', 'http://0.0.0.0', 'http://①②⑦.⓪.⓪.①', 'http://127。0。0。1',
    'http://%31%32%37.0.0.1', 'http://127.0.0.1.', 'http://[::1]', 'http://[0:0:0:0:0:0:0:1]', 'http://[::]',
    'http://[::ffff:127.0.0.1]', 'http://[::ffff:7f00:1]', 'http://[::127.0.0.1]', 'http://[64:ff9b::7f00:1]',
    'http://[2002:7f00:1::]', 'http://169.254.169.254/latest/meta-data', 'http://0xa9fea9fe', 'http://2852039166',
    'http://[fd00:ec2::254]', 'http://[::ffff:a9fe:a9fe]', 'https://10.0.0.1:8443', 'http://192.168.1.1',
    // Names of this machine or network.
    'http://localhost', 'http://LOCALHOST', 'http://localhost.', 'http://a.localhost', 'http://printer.local',
    'http://metadata.google.internal', 'http://ｌｏｃａｌｈｏｓｔ', 'http://router.lan', 'http://x.home.arpa',
    // Credentials, other schemes, other ports, no host, no URL.
    'http://user@example.com', 'http://user:pass@example.com', 'http://:pass@example.com', 'http://example.com@127.0.0.1',
    'http://127.0.0.1#@example.com', 'http://127.0.0.1\\@example.com', 'ftp://example.com', 'file:///etc/passwd',
    'gopher://example.com', 'javascript:alert(1)', 'data:text/plain,x', 'unix:/run/docker.sock', 'http://example.com:22',
    'http://example.com:25', 'https://example.com:1', 'http://', 'https://', '//example.com', 'example.com', '',
    'http://example.com:99999', 'http://[::1', 'http://exa mple.com', `https://example.com/${'a'.repeat(2048)}`,
  ]; // prettier-ignore
  for (const url of refused) {
    it(`refuses ${JSON.stringify(url.slice(0, 60))}`, () => {
      assert.ok('problem' in outboundUrl(url, []));
    });
  }

  for (const url of [
    'https://example.com',
    'http://example.com/a?b=c',
    'https://example.com:8443/x',
    'http://93.184.215.14:8080',
    'https://[2606:4700:4700::1111]/',
    'https://bücher.example/',
    'https://localhost.example.com',
    'http://example.com:80',
  ]) {
    // prettier-ignore
    it(`permits ${url}`, () => {
      assert.ok(!('problem' in outboundUrl(url, [])));
    });
  }

  it('permits loopback by name and by address, on any port, where it was opened', () => {
    const allowed = parseAllowed('127.0.0.0/8,::1/128');

    const urls = ['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:3000'].map((url) =>
      outboundUrl(url, allowed),
    );

    assert.ok(urls.every((url) => !('problem' in url)));
    assert.ok('problem' in outboundUrl('http://10.0.0.1', allowed));
  });
});

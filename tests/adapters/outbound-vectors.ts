/**
 * Notations for an address of this machine, of its network or of a cloud's metadata server. All are refused when they
 * are saved and when they are called. `PORT` stands for the port of a listener that must receive nothing.
 */
export const HOSTILE: readonly string[] = [
  // Loopback as IPv4: plain, short, decimal, hexadecimal, octal, circled and full-width digits, escapes, full stops.
  'http://127.0.0.1:PORT/', 'http://127.1:PORT/', 'http://127.0.1:PORT/', 'http://2130706433:PORT/',
  'http://0x7f000001:PORT/', 'http://0x7f.1:PORT/', 'http://0x7f.0x0.0x0.0x1:PORT/', 'http://0177.0.0.1:PORT/',
  'http://017700000001:PORT/', 'http://0177.0x0.1:PORT/', 'http://127.255.255.254:PORT/', 'http://127.0.0.2:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/', 'http://１２７.０.０.１:PORT/', 'http://127。0。0。1:PORT/', 'http://127｡0｡0｡1:PORT/',
  'http://%31%32%37.0.0.1:PORT/', 'http://127.0.0.1.:PORT/', 'http://127.1.:PORT/', 'http://0:PORT/',
  'http://0.0.0.0:PORT/', 'http://0x0:PORT/', 'http://0.0.0.1:PORT/', 'http://00000177.0.0.1:PORT/',
  'http:127.0.0.1:PORT/', 'http:/\\127.0.0.1:PORT/', 'http:\\\\127.0.0.1:PORT/', ' http://127.0.0.1:PORT/',
  'HTTP://127.0.0.1:PORT/', 'http://127.0.0.1\t:PORT/', 'http://127.0.\n0.1:PORT/',
  // Loopback as IPv6, and IPv4 inside it: mapped, compatible, translated, NAT64, 6to4, Teredo.
  'http://[::1]:PORT/', 'http://[0:0:0:0:0:0:0:1]:PORT/', 'http://[0000::0001]:PORT/', 'http://[::]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/', 'http://[::ffff:7f00:1]:PORT/', 'http://[::FFFF:7F00:0001]:PORT/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/', 'http://[::127.0.0.1]:PORT/', 'http://[::7f00:1]:PORT/',
  'http://[::ffff:0:127.0.0.1]:PORT/', 'http://[::ffff:0:0]:PORT/', 'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/', 'http://[64:ff9b:1::7f00:1]:PORT/', 'http://[2002:7f00:1::]:PORT/',
  'http://[2002:7f00:1::1]:PORT/', 'http://[2001:0:808:808:0:0:80ff:fffe]:PORT/', 'http://[2001::1]:PORT/',
  'http://[::1%25lo]:PORT/', 'http://[::1%lo]:PORT/', 'http://[fe80::1%25eth0]:PORT/', 'http://[fe80::1]:PORT/',
  'http://[fec0::1]:PORT/', 'http://[fc00::1]:PORT/', 'http://[fdff::1]:PORT/', 'http://[ff02::1]:PORT/',
  'http://[100::1]:PORT/', 'http://[2001:db8::1]:PORT/', 'http://[3fff::1]:PORT/', 'http://[5f00::1]:PORT/',
  // Names of this machine and this network.
  'http://localhost:PORT/', 'http://LOCALHOST:PORT/', 'http://localhost.:PORT/', 'http://ｌｏｃａｌｈｏｓｔ:PORT/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/', 'http://%6c%6f%63%61%6c%68%6f%73%74:PORT/', 'http://lo\u00ADcalhost:PORT/',
  'http://x.localhost:PORT/', 'http://printer.local:PORT/', 'http://db.internal:PORT/', 'http://router.lan:PORT/',
  'http://nas.home.arpa:PORT/', 'http://wiki.intranet:PORT/', 'http://metadata.google.internal/',
  // Names that the test's resolver gives private addresses.
  'http://loopback.resuelve.example:PORT/', 'http://privado.resuelve.example:PORT/',
  'http://mixto.resuelve.example:PORT/', 'http://metadatos.resuelve.example/', 'http://seis.resuelve.example:PORT/',
  'http://señuelo.resuelve.example:PORT/', 'http://xn--seuelo-xwa.resuelve.example:PORT/',
  // User names and passwords, and texts that look like a host but are none.
  'http://user@127.0.0.1:PORT/', 'http://user:pass@127.0.0.1:PORT/', 'http://example.com@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT@example.com/', 'http://user:pass@example.com/', 'http://example.com%40127.0.0.1:PORT/',
  'http://127.0.0.1:PORT#@example.com/', 'http://127.0.0.1:PORT?@example.com/', 'http://127.0.0.1:PORT\\@example.com/',
  'http://example.com:80@127.0.0.1:PORT/', 'http://127.0.0.1:PORT/redirect?to=https://example.com',
  // Other private networks.
  'http://10.0.0.1/', 'http://10.255.255.255:8443/', 'http://172.16.0.1/', 'http://172.31.255.255/',
  'http://192.168.0.1/', 'http://100.64.0.1/', 'http://192.0.0.1/', 'http://192.0.2.1/', 'http://192.88.99.1/',
  'http://198.18.0.1/', 'http://198.51.100.1/', 'http://203.0.113.1/', 'http://224.0.0.1/', 'http://240.0.0.1/',
  'http://255.255.255.255/', 'http://167772161/',
  // Metadata servers.
  'http://169.254.169.254/latest/meta-data/', 'http://2852039166/', 'http://0xa9fea9fe/', 'http://0251.0376.0251.0376/',
  'http://169.254.43518/', 'http://[::ffff:169.254.169.254]/', 'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/', 'http://[2002:a9fe:a9fe::]/', 'http://[fe80::a9fe:a9fe]/',
  'http://[fd00:ec2::254]/', 'http://[fd20:ce::254]/', 'http://168.63.129.16/', 'http://100.100.100.200/',
  'http://192.0.0.192/',
  // Other ports, other schemes, no host.
  'http://example.com:22/', 'http://example.com:25/', 'https://example.com:993/', 'ftp://127.0.0.1:PORT/',
  'file:///etc/passwd', 'gopher://127.0.0.1:PORT/_x', 'ws://127.0.0.1:PORT/', 'unix:/run/docker.sock',
  'data:text/plain,x', 'javascript:alert(1)', '//127.0.0.1:PORT/', '127.0.0.1:PORT', 'localhost:PORT',
]; // prettier-ignore

/** What the names above resolve to. */
export const RESOLVED: Readonly<Record<string, readonly string[]>> = {
  'loopback.resuelve.example': ['127.0.0.1'],
  'privado.resuelve.example': ['10.1.2.3'],
  'mixto.resuelve.example': ['93.184.215.14', '127.0.0.1'],
  'metadatos.resuelve.example': ['169.254.169.254'],
  'seis.resuelve.example': ['::1', '2606:4700:4700::1111'],
  'xn--seuelo-xwa.resuelve.example': ['::ffff:127.0.0.1'],
};

/** Addresses in the metadata ranges: refused with every range opened, however they are written. */
export const METADATA: readonly string[] = [
  'http://169.254.169.254/', 'http://169.254.0.1/', 'http://169.254.255.255/', 'http://2852039166/',
  'http://0xa9fea9fe/', 'http://[::ffff:169.254.169.254]/', 'http://[::169.254.169.254]/',
  'http://[::ffff:0:a9fe:a9fe]/', 'http://[64:ff9b::a9fe:a9fe]/', 'http://[64:ff9b:1::a9fe:a9fe]/',
  'http://[64:ff9b:1:a9fe:a9:fe00::]/', 'http://[64:ff9b:1:0:a9:fea9:fe00:0]/', 'http://[2002:a9fe:a9fe::1]/',
  'http://[2001:0:a9fe:a9fe::]/', 'http://[2001:0:808:808:0:0:5601:5601]/', 'http://[fe80::a9fe:a9fe]/',
  'http://[fd00:ec2::254]/', 'http://[fd20:ce::254]/', 'http://[fd00:42::42]/', 'http://168.63.129.16/',
  'http://[::ffff:a83f:8110]/', 'http://100.100.100.200/', 'http://[2002:6464:64c8::]/', 'http://192.0.0.192/',
]; // prettier-ignore

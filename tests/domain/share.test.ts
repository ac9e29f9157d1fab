import assert from 'node:assert/strict';
import { asciiAddress } from '../../adapters/internet-address.ts';
import { chooseRecipients, recipientCount } from '../../domain/share.ts';
import { whatsappUrl } from '../../domain/whatsapp.ts';

const PEOPLE = [
  { name: 'Laura Méndez', email: 'laura@cliente.test' },
  { name: 'Luis Rivas', email: 'compras@diseño.test' },
  { name: 'Otra Laura', email: 'LAURA@cliente.test' },
  { name: 'Sin correo', email: null },
];
const choose = (to?: readonly string[], cc?: readonly string[]) => chooseRecipients({ to, cc }, PEOPLE, asciiAddress);

describe('The recipients of a share', () => {
  it('are the client without any in the request', () => {
    assert.equal(choose(), undefined);
    assert.equal(choose([], []), undefined);
    assert.equal(recipientCount(undefined), 1);
  });

  it('are each address once, whatever its case and the form of its domain; `to` comes before `cc`', () => {
    const chosen = choose(
      ['Ana@x.test', 'ana@X.TEST', 'compras@xn--diseo-rta.test'],
      ['ANA@x.test', 'luis@x.test', 'compras@diseño.test', 'LUIS@x.test'],
    );

    assert.deepEqual(chosen?.to, [
      { name: '', address: 'Ana@x.test' },
      { name: 'Luis Rivas', address: 'compras@xn--diseo-rta.test' },
    ]);
    assert.deepEqual(chosen?.cc, [{ name: '', address: 'luis@x.test' }]);
    assert.equal(chosen && recipientCount(chosen), 3);
  });

  it('without `to` are the client, who then is no copy, and the copies', () => {
    const chosen = choose(undefined, ['Laura@cliente.test', 'luis@x.test']);

    assert.deepEqual([chosen?.to, chosen?.cc], [null, [{ name: '', address: 'luis@x.test' }]]);
    assert.equal(chosen && recipientCount(chosen), 2);
  });

  it("have the client's name before that of a contact, and outsiders are named", () => {
    const chosen = choose(['laura@cliente.test', 'ana@x.test'], ['luis@x.test']);

    assert.deepEqual(chosen?.to?.[0], { name: 'Laura Méndez', address: 'laura@cliente.test' });
    assert.deepEqual(chosen?.outsiders, ['ana@x.test', 'luis@x.test']);
  });
});

describe('whatsappUrl', () => {
  const url = (phone: string | null, country = 'MX', text = 'Hola') => whatsappUrl(phone, { country, text });

  for (const [phone, country, digits] of [
    ['+52 55 1234 5678', 'US', '525512345678'],
    ['0052 (55) 1234-5678', 'MX', '525512345678'],
    ['55 1234 5678', 'MX', '525512345678'],
    ['52 55 1234 5678', 'MX', '525512345678'],
    ['(415) 555-2671', 'US', '14155552671'],
    ['11 98765-4321', 'BR', '5511987654321'],
    ['12345678', 'JP', '12345678'],
  ] as const) {
    it(`has the digits ${digits} for ${phone} in ${country}`, () => {
      assert.equal(url(phone, country), `https://wa.me/${digits}?text=Hola`);
    });
  }

  it('is null without a phone of 8 to 15 digits', () => {
    const phones = [
      null,
      '',
      '1234567',
      '+1234567890123456',
      '55 1234 5678 ext. 9',
      '+52/55',
      'https://x.test/12345678',
    ];

    assert.deepEqual(phones.map((phone) => url(phone, 'JP')), phones.map(() => null)); // prettier-ignore
  });

  it('escapes its text, so that it adds no parameter', () => {
    const text = 'A&phone=1#x\nñ 😀';

    assert.equal(new URL(url('+52 55 1234 5678', 'MX', text) ?? '').searchParams.get('text'), text);
  });
});

import assert from 'node:assert/strict';
import { headerProblems, isSuccess } from '../../domain/http-delivery.ts';

describe('extra headers of a fire_webhook', () => {
  it('a header may be any token with a visible ASCII value', () => {
    assert.deepEqual(headerProblems({ Authorization: 'Bearer abc', 'X-Api-Key': '1 2\t3', 'x-vacio': '' }), []);
  });

  for (const name of [
    'Host',
    'host',
    'Content-Type',
    'content-length',
    'Content-Encoding',
    'Transfer-Encoding',
    'Connection',
    'Keep-Alive',
    'Expect',
    'TE',
    'Trailer',
    'Upgrade',
    'Proxy-Authorization',
    'Cookie',
    'Accept-Encoding',
    'X-Service-Signature',
    'x-service-event',
    'webhook-id',
    'Webhook-Signature',
  ]) {
    // prettier-ignore
    it(`the reserved header ${name} is refused`, () => {
      assert.deepEqual(headerProblems({ [name]: 'x' }), [{ name, message: 'es un encabezado reservado' }]);
    });
  }

  for (const name of ['', 'a b', 'a:b', 'a\r\nb', 'ñ', 'a'.repeat(101)]) {
    it(`the malformed name ${JSON.stringify(name.slice(0, 20))} is refused`, () => {
      assert.deepEqual(headerProblems({ [name]: 'x' }), [{ name, message: 'no es un nombre de encabezado' }]);
    });
  }

  for (const value of ['a\r\nHost: b', 'a\nb', 'a\0b', 'ñ', '\x7f']) {
    it(`the value ${JSON.stringify(value)} is refused`, () => {
      assert.deepEqual(headerProblems({ 'X-A': value }), [
        { name: 'X-A', message: 'solo admite caracteres ASCII visibles' },
      ]);
    });
  }

  it('a header that is repeated in other case is refused', () => {
    assert.deepEqual(headerProblems({ 'X-A': '1', 'x-a': '2' }), [{ name: 'x-a', message: 'está repetido' }]);
  });

  it('at most 20 headers of 4 kB together are accepted', () => {
    const many = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`x-${i}`, 'v']));

    assert.deepEqual(headerProblems(many(20)), []);
    assert.equal(headerProblems(many(21))[0]?.message, 'debe tener como máximo 20 encabezados');
    assert.equal(headerProblems({ 'x-a': 'v'.repeat(4094) })[0]?.message, 'debe ocupar como máximo 4 kB');
  });
});

describe('isSuccess', () => {
  it('only 2xx is a success', () => {
    assert.deepEqual([200, 204, 299].map(isSuccess), [true, true, true]);
    assert.deepEqual([0, 199, 301, 302, 400, 410, 500].filter(isSuccess), []);
  });
});

import assert from 'node:assert/strict';
import { headerProblems, isSuccess } from '../../domain/http-delivery.ts';

describe('extra headers of a fire_webhook', () => {
  it('may be any token with visible ASCII', () => {
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
    it(`may not be ${name}`, () => {
      assert.deepEqual(headerProblems({ [name]: 'x' }), [{ name, message: 'es un encabezado reservado' }]);
    });
  }

  for (const name of ['', 'a b', 'a:b', 'a\r\nb', 'ñ', 'a'.repeat(101)]) {
    it(`may not be named ${JSON.stringify(name.slice(0, 20))}`, () => {
      assert.deepEqual(headerProblems({ [name]: 'x' }), [{ name, message: 'no es un nombre de encabezado' }]);
    });
  }

  for (const value of ['a\r\nHost: b', 'a\nb', 'a\0b', 'ñ', '\x7f']) {
    it(`may not say ${JSON.stringify(value)}`, () => {
      assert.deepEqual(headerProblems({ 'X-A': value }), [
        { name: 'X-A', message: 'solo admite caracteres ASCII visibles' },
      ]);
    });
  }

  it('may not come twice under different capitals', () => {
    assert.deepEqual(headerProblems({ 'X-A': '1', 'x-a': '2' }), [{ name: 'x-a', message: 'está repetido' }]);
  });

  it('are 20 at most, of 4 kB together', () => {
    const many = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`x-${i}`, 'v']));

    assert.deepEqual(headerProblems(many(20)), []);
    assert.equal(headerProblems(many(21))[0]?.message, 'debe tener como máximo 20 encabezados');
    assert.equal(headerProblems({ 'x-a': 'v'.repeat(4094) })[0]?.message, 'debe ocupar como máximo 4 kB');
  });
});

describe('which answers deliver', () => {
  it('2xx only', () => {
    assert.deepEqual([200, 204, 299].map(isSuccess), [true, true, true]);
    assert.deepEqual([0, 199, 301, 302, 400, 410, 500].filter(isSuccess), []);
  });
});

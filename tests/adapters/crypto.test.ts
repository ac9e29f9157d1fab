import assert from 'node:assert/strict';
import { createCipheriv, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { EncryptJWT } from 'jose';
import { newApiKey, parseApiKey } from '../../adapters/crypto/api-keys.ts';
import { createPasswords } from '../../adapters/crypto/passwords.ts';
import { createSecretBox, type SecretPlace, SecretUnreadable } from '../../adapters/crypto/secret-box.ts';
import { createSessionCookies } from '../../adapters/crypto/session-cookie.ts';
import { hashToken, newToken } from '../../adapters/crypto/tokens.ts';
import { ServiceError } from '../../domain/errors.ts';
import { eventually } from '../eventually.ts';

/** Of one network. */
const TURN = { key: '192.0.2.0/24' };

const encryptionKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const flipped = (text: string, at: number): string => {
  const other = text.at(at) === 'A' ? 'B' : 'A';
  return `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
};

describe('createPasswords', () => {
  it('hashes with argon2id, 19 MiB, two passes, and a new salt each time', async () => {
    const passwords = createPasswords();

    const [one, two] = await Promise.all([passwords.hash('correcta 123', TURN), passwords.hash('correcta 123', TURN)]);

    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.notEqual(one, two);
  });

  it('accepts the right password, also with its accent composed otherwise, and no other', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('contraseña'.normalize('NFC'), TURN);

    assert.equal(await passwords.verify(hash, 'contraseña'.normalize('NFC'), TURN), true);
    assert.equal(await passwords.verify(hash, 'contraseña'.normalize('NFD'), TURN), true);
    assert.equal(await passwords.verify(hash, 'contrasena', TURN), false);
    assert.equal(await passwords.verifyNothing('contraseña', TURN), false);
  });

  it('refuses the 23rd concurrent hash of one key with «Demasiadas solicitudes», and serves the other 22 and later ones', async () => {
    const passwords = createPasswords();
    await passwords.verifyNothing('warm up', TURN);

    const outcomes = await Promise.allSettled(Array.from({ length: 23 }, () => passwords.hash('x', TURN)));

    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(refused.length, 1);
    const reason: unknown = refused[0]?.reason;
    assert.ok(reason instanceof ServiceError);
    assert.deepEqual([reason.kind, reason.reason], ['rate_limited', 'work_queue_full']);
    assert.equal(reason.message, 'Demasiadas solicitudes');
    assert.match(await passwords.hash('later', TURN), /^\$argon2id/);
  }).timeout(20_000);

  it('takes as long for an unknown account as for a wrong password: medians of 15 within 25 %', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('correcta', TURN);
    await passwords.verifyNothing('warm up', TURN);
    const ofKnown = () => cpuMsOf(() => passwords.verify(hash, 'equivocada', TURN));
    const ofUnknown = () => cpuMsOf(() => passwords.verifyNothing('equivocada', TURN));

    // Pairs in alternating order, so that a machine that becomes busy affects both alike.
    const ratios: number[] = [];
    for (let i = 0; i < 15; i += 1) {
      const before = i % 2 === 0 ? await ofUnknown() : undefined;
      const known = await ofKnown();
      ratios.push((before ?? (await ofUnknown())) / known);
    }

    const ratio = median(ratios);
    assert.ok(ratio > 0.75 && ratio < 1.25, `ratio ${ratio}`);
  }).timeout(30_000);
});

describe('API keys', () => {
  it('consist of svc_ and 40 digits, are found by their hash and shown by their first four', () => {
    const { key, hash, prefix, last4 } = newApiKey();

    assert.match(key, /^svc_[0-9a-f]{40}$/);
    assert.deepEqual(parseApiKey(key), { hash });
    assert.equal(hash, hashToken(key));
    assert.ok(key.startsWith(prefix) && key.endsWith(last4));
    assert.equal(prefix.length, 8);
  });

  it('end in the CRC-32 of their 32 digits, as eight digits', () => {
    // The CRC-32 (IEEE) of 32 zeros as text, by another implementation.
    assert.ok(parseApiKey(`svc_${'0'.repeat(32)}a0f292d0`));
  });

  it('are not found when one digit differs, or when the text has another form', () => {
    const { key } = newApiKey();
    const other = key.at(10) === '0' ? '1' : '0';

    for (const text of [`${key.slice(0, 10)}${other}${key.slice(11)}`, key.toUpperCase(), `${key} `, '', 'svc_'])
      assert.equal(parseApiKey(text), undefined);
  });
});

describe('createSecretBox', () => {
  const row1: SecretPlace = { purpose: 'webhook_secret', rowId: 'row-1' };

  it('opens what it sealed for the same place, and seals the same text differently each time', () => {
    const box = createSecretBox(encryptionKey('k1'));

    const sealed = [box.seal('whsec_ñ', row1), box.seal('whsec_ñ', row1)] as const;

    assert.match(sealed[0], /^k1\.2\.[A-Za-z0-9_-]+$/);
    assert.ok(sealed[0].startsWith(box.newest));
    assert.notEqual(sealed[0], sealed[1]);
    assert.equal(box.open(sealed[0], row1), 'whsec_ñ');
    assert.equal(box.open(sealed[1], row1), 'whsec_ñ');
  });

  it('opens with an old key while it is listed after a new one, and no longer without it', () => {
    const [old, fresh] = [encryptionKey('k1'), encryptionKey('k2')];
    const sealed = createSecretBox(old).seal('secret', row1);

    const rotated = createSecretBox(`${fresh},${old}`);

    assert.equal(rotated.open(sealed, row1), 'secret');
    assert.match(rotated.seal('secret', row1), /^k2\./);
    assert.throws(() => createSecretBox(fresh).open(sealed, row1), SecretUnreadable);
  });

  it('opens the older format without purpose, in its row only, and reports it as outdated', () => {
    const key = Buffer.alloc(32, 5);
    const iv = Buffer.alloc(12, 1);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from('row-1'));
    const sealed = Buffer.concat([iv, cipher.update('secret'), cipher.final(), cipher.getAuthTag()]);
    const box = createSecretBox(`k1:${key.toString('base64')}`);
    const old = `k1.${sealed.toString('base64url')}`;

    assert.equal(box.open(old, row1), 'secret');
    assert.ok(!old.startsWith(box.newest));
    assert.throws(() => box.open(old, { ...row1, rowId: 'row-2' }), SecretUnreadable);
    assert.throws(() => box.open(`k1.2.${sealed.toString('base64url')}`, row1), SecretUnreadable);
  });

  it('throws SecretUnreadable in another row, for another purpose, and for any changed or missing byte', () => {
    const box = createSecretBox(encryptionKey('k1'));
    const sealed = box.seal('secret', row1);

    assert.throws(() => box.open(sealed, { ...row1, rowId: 'row-2' }), SecretUnreadable);
    assert.throws(() => box.open(sealed, { ...row1, purpose: 'public_token' }), SecretUnreadable);
    // Rewritten in the older format, which has no purpose.
    assert.throws(() => box.open(sealed.replace('.2.', '.'), row1), SecretUnreadable);
    for (let at = 3; at < sealed.length - 1; at += 1)
      assert.throws(() => box.open(flipped(sealed, at), row1), SecretUnreadable);
    for (const cut of [sealed.slice(0, -4), 'k1.2.', 'k1.', 'k1', '', '.', '..'])
      assert.throws(() => box.open(cut, row1), SecretUnreadable);
  });

  it('refuses keys that are too short, and two with the same id', () => {
    assert.throws(() => createSecretBox(`k1:${randomBytes(16).toString('base64')}`), TypeError);
    assert.throws(() => createSecretBox(`${encryptionKey('k1')},${encryptionKey('k1')}`), TypeError);
  });
});

describe('tokens', () => {
  it('are 43 characters of base64url, unique, and hashed with SHA-256', () => {
    assert.match(newToken(), /^[A-Za-z0-9_-]{43}$/);
    assert.notEqual(newToken(), newToken());
    assert.equal(hashToken('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('createSessionCookies', () => {
  const OLD = 'an old secret of 32 characters...';
  const NEW = 'a new secret of 32 characters....';
  const ids = { sessionId: 's1', userId: 'u1', tenantId: 't1' };
  const inAnHour = () => new Date(Date.now() + 3_600_000);

  it('uses the __Host- prefix with https only', () => {
    assert.equal(createSessionCookies({ secrets: NEW, secure: false }).name, 'quoting.session-token');
    assert.equal(createSessionCookies({ secrets: NEW, secure: true }).name, '__Host-quoting.session-token');
  });

  it('opens what it sealed, and does not reveal its content', async () => {
    const cookies = createSessionCookies({ secrets: NEW, secure: true });

    const token = await cookies.seal(ids, inAnHour());

    assert.deepEqual(await cookies.open(token), ids);
    assert.ok(token.length < 400);
    assert.doesNotMatch(Buffer.from(token, 'base64url').toString('latin1'), /"(s1|u1|t1)"/);
  });

  it('opens cookies of an old secret while it is listed, and seals with the first', async () => {
    const before = await createSessionCookies({ secrets: OLD, secure: false }).seal(ids, inAnHour());
    const rotated = createSessionCookies({ secrets: `${NEW},${OLD}`, secure: false });

    const after = await rotated.seal(ids, inAnHour());

    assert.deepEqual(await rotated.open(before), ids);
    assert.deepEqual(await createSessionCookies({ secrets: NEW, secure: false }).open(after), ids);
    assert.equal(await createSessionCookies({ secrets: NEW, secure: false }).open(before), undefined);
  });

  it('returns undefined for an expired cookie and for one made under the other name', async () => {
    const cookies = createSessionCookies({ secrets: NEW, secure: true });

    const expired = await cookies.seal(ids, new Date(Date.now() - 1_000));
    const plain = await createSessionCookies({ secrets: NEW, secure: false }).seal(ids, inAnHour());

    assert.equal(await cookies.open(expired), undefined);
    assert.equal(await cookies.open(plain), undefined);
  });

  it('returns undefined for a cached cookie once it expires', async () => {
    const cookies = createSessionCookies({ secrets: NEW, secure: true });
    // A whole second, as the cookie stores it; at least one from now, so that it can be opened twice before.
    const expiresAt = Math.ceil(Date.now() / 1_000) * 1_000 + 1_000;
    const token = await cookies.seal(ids, new Date(expiresAt));

    assert.deepEqual(await cookies.open(token), ids);
    assert.deepEqual(await cookies.open(token), ids);
    await eventually(async () => assert.equal(await cookies.open(token), undefined));
    assert.ok(Date.now() >= expiresAt, 'it was refused before it expired');
  });

  it('returns undefined for a cookie with any part changed', async () => {
    const cookies = createSessionCookies({ secrets: NEW, secure: true });
    const token = await cookies.seal(ids, inAnHour());
    const parts = [3, token.indexOf('..') + 4, token.lastIndexOf('.') - 4, token.lastIndexOf('.') + 3];

    const opened = await Promise.all(parts.map((at) => cookies.open(flipped(token, at))));

    assert.deepEqual(opened, [undefined, undefined, undefined, undefined]);
  });

  it('returns undefined for a token without encryption or under an unknown key', async () => {
    const cookies = createSessionCookies({ secrets: NEW, secure: true });
    const claims = { sid: 's1', tid: 't1', sub: 'u1', exp: Math.floor(Date.now() / 1_000) + 3_600 };
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

    const unsigned = `${encode({ alg: 'none' })}.${encode(claims)}.`;
    const foreign = await new EncryptJWT(claims)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: 'unknown' })
      .encrypt(randomBytes(32));

    assert.equal(await cookies.open(unsigned), undefined);
    assert.equal(await cookies.open(foreign), undefined);
  });

  it('returns undefined for malformed text', async () => {
    const cookies = createSessionCookies({ secrets: NEW, secure: true });
    const header = (await cookies.seal(ids, inAnHour())).split('.')[0] ?? '';
    const piece = fc.oneof(fc.base64String(), fc.string(), fc.constant(header), fc.constant(''));

    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        assert.equal(await cookies.open(pieces.join('.')), undefined);
      }),
    );
  });
});

/** CPU time, including the thread pool that hashes: wall time depends on the load of the machine. */
async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

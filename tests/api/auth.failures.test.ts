import assert from 'node:assert/strict';
import { createLog } from '../../adapters/log.ts';
import { newId } from '../../db/ids.ts';
import { AuditLog } from '../../db/models/audit-log.ts';
import { recordFailedSignIn } from '../../db/writes/record-failed-sign-in.ts';
import * as build from './build.ts';
import { ownService, type Service, service } from './service.ts';
import { auditOf } from './stored.ts';

const WRONG = 'no es la mía en absoluto';

describe('A failed sign-in', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  const fail = (email: string, at = app) => at.post('/api/auth/callback/credentials', { email, password: WRONG });
  const failuresOf = async (business: build.Business) =>
    (await auditOf(business, business.userId)).filter(({ action }) => action === 'login_failed');

  it('a failed sign-in is audited with the client’s address, without user, e-mail and password', async () => {
    const business = await build.business();

    const { status } = await fail(business.email);

    assert.equal(status, 401);
    const [entry, ...more] = await failuresOf(business);
    assert.equal(more.length, 0);
    assert.deepEqual([entry?.entity, entry?.userId, entry?.metadata], ['collaborator', null, { ip: '127.0.0.1' }]);
    const listed = await app.get('/api/audit-logs?action=login_failed', business.owner);
    assert.equal(listed.body.total, 1);
    assert.ok(!listed.bytes.includes(business.email) && !listed.bytes.includes(WRONG));
  });

  it('failed sign-ins are audited at most once a minute per account, over all processes', async () => {
    const business = await build.business();
    const other = await ownService({});

    await Promise.all(Array.from({ length: 10 }, (_, i) => fail(business.email, i % 2 === 0 ? app : other)));

    assert.equal((await failuresOf(business)).length, 1);
  });

  it('concurrent failed sign-ins write one audit entry', async () => {
    const business = await build.business();
    const { tenantId, userId } = business;
    const failure = { userId, ip: '203.0.113.7', requestId: 'r1' };
    const { withTenant } = app.deps;

    await withTenant(tenantId, async (trx) => {
      await recordFailedSignIn(trx, failure);
      await withTenant(tenantId, (other) => recordFailedSignIn(other, failure));
    });

    assert.equal((await failuresOf(business)).length, 1);
  });

  it('a failed sign-in is audited again after a minute', async () => {
    const business = await build.business();
    const { tenantId, userId } = business;
    const aMinuteAgo = new Date(Date.now() - 61_000);
    await app.deps.withTenant(tenantId, (trx) =>
      AuditLog.query(trx).insert({
        id: newId(),
        tenantId,
        userId: null,
        actor: 'service',
        action: 'login_failed',
        entity: 'collaborator',
        entityId: userId,
        metadata: '{}',
        requestId: null,
        createdAt: aMinuteAgo,
      }),
    );

    await fail(business.email);

    assert.equal((await failuresOf(business)).length, 2);
  });

  it('a failed sign-in is logged with the client’s address, without the submitted credentials, with or without an account', async () => {
    const lines: string[] = [];
    const logged = await ownService({ LOG_LEVEL: 'info', TRUSTED_PROXIES: '1' }, (deps) => ({
      ...deps,
      log: createLog({ level: 'info', name: 'api' }, { write: (line) => void lines.push(line) }),
    }));
    const { email } = await build.business();
    const unknownEmail = `${newId()}@nadie.test`;
    const from = (address: string, ip: string) =>
      logged.post('/api/auth/callback/credentials', { email: address, password: WRONG }, { 'X-Forwarded-For': ip });

    await from(email, '203.0.113.7');
    await from(unknownEmail, '203.0.113.8');

    const failures = lines.filter((line) => line.includes('a sign-in failed'));
    assert.deepEqual(
      failures.map((line) => JSON.parse(line).ip),
      ['203.0.113.7', '203.0.113.8'],
    );
    assert.deepEqual(
      lines.filter((line) => [email, unknownEmail, WRONG].some((typed) => line.includes(typed))),
      [],
    );
  });
});

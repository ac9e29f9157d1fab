import assert from 'node:assert/strict';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { migrate, migrateDown } from '../../db/migrate.ts';
import { throwAwayDatabase } from './database.ts';

/** The newest migration of the version whose quotes did not say who signed them. */
const BEFORE = '20261130231000_allow_events_of_responses';

describe('Answers of the version before, upgraded', () => {
  it('get their signer from the signature, and time and reason from the audit log', async () => {
    const { urls, end } = await throwAwayDatabase();
    await migrate(urls);
    await migrateDown(urls.admin, { to: BEFORE });
    const db = connect({ url: urls.admin, pool: 1, applicationName: 'quoting-test' });
    const [tenantId, userId, clientId, fileId] = [newId(), newId(), newId(), newId()];
    const at = new Date('2026-11-02T10:00:00.000Z');
    await db('tenants').insert({ id: tenantId, slug: 't-firmas', companyName: 'Acme', plan: 'PRO' });
    await db('users').insert({ id: userId, tenantId, email: 'a@b.test', name: 'Ana', role: 'OWNER' });
    await db('clients').insert({ id: clientId, tenantId, contactName: 'Luis' });
    const quote = async (id: string, quoteNumber: number, status: string) => {
      const amounts = { currency: 'MXN', taxRate: '0.16', subtotal: '0', tax: '0', shippingCost: '0', total: '0' };
      const link = { publicTokenHash: id, publicTokenSealed: 'x' };
      const terms = { clientId, clientContactName: 'Luis', userId, notes: '', expiresAt: at };
      await db('quotes').insert({ id, tenantId, quoteNumber, status, ...amounts, ...link, ...terms });
    };
    await quote('accepted', 1, 'ACCEPTED');
    await quote('rejected', 2, 'REJECTED');
    await quote('automated', 3, 'ACCEPTED');
    const storageKey = `t/${tenantId}/x.pdf`;
    const file = { kind: 'signed_pdf', storageKey, contentType: 'application/pdf', sizeBytes: 1, sha256: 'x' };
    await db('files').insert({ id: fileId, tenantId, quoteId: 'accepted', ...file });
    const evidence = {
      snapshotSha256: 'x',
      pdfSha256: 'x',
      consentText: 'x',
      ip: '::1',
      userAgent: '',
      snapshot: '{}',
    };
    const signer = { type: 'typed', signerName: 'Luis', signerEmail: 'l@c.test', signedAt: at, version: 1 };
    await db('signatures').insert({
      id: newId(),
      tenantId,
      quoteId: 'accepted',
      pdfFileId: fileId,
      ...signer,
      ...evidence,
    });
    const metadata = JSON.stringify({ from: 'SENT', to: 'REJECTED', version: 1, reason: 'Caro' });
    const entry = { actor: 'portal', action: 'status_change', entity: 'quote', entityId: 'rejected', metadata };
    await db('auditLogs').insert({ id: newId(), tenantId, ...entry, createdAt: at });

    await migrate(urls);

    const rows = await db('quotes')
      .select('id', 'answeredAt', 'signerName', 'signerEmail', 'rejectionReason')
      .orderBy('quoteNumber');
    await db.destroy();
    await end();
    assert.deepEqual(rows, [
      { id: 'accepted', answeredAt: at, signerName: 'Luis', signerEmail: 'l@c.test', rejectionReason: null },
      { id: 'rejected', answeredAt: at, signerName: null, signerEmail: null, rejectionReason: 'Caro' },
      { id: 'automated', answeredAt: null, signerName: null, signerEmail: null, rejectionReason: null },
    ]);
  });
});

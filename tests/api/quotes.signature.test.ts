import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { Signature } from '../../db/models/signature.ts';
import { StoredFile } from '../../db/models/stored-file.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

describe('GET /api/quotes/:id/signature', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 with type, data, signer and time, without the evidence', async () => {
    const { tenantId, owner } = await build.business();
    const { id: quoteId } = await build.quote(owner);
    const signedAt = new Date('2026-11-27T10:00:00.000Z');
    const shown = {
      type: 'drawn' as const,
      data: 'data:image/png;base64,iVBORw0=',
      signerName: 'Laura',
      signerEmail: 'laura@cliente.test',
    };
    const evidence = { snapshot: '{}', snapshotSha256: 'a', consentText: 'Acepto', ip: '192.0.2.7', userAgent: 'x' };
    const pdf = { pdfFileId: newId(), pdfSha256: 'b' };
    await app.deps.withTenant(tenantId, async (trx) => {
      const file = {
        tenantId,
        quoteId,
        storageKey: `t/${tenantId}/x.pdf`,
        contentType: 'application/pdf',
        sizeBytes: 1,
      };
      await StoredFile.query(trx).insert({ ...file, id: pdf.pdfFileId, kind: 'signed_pdf', sha256: 'b' });
      const row = { id: newId(), tenantId, quoteId, version: 1, signedAt, ...shown, ...evidence, ...pdf };
      await Signature.query(trx).insert(row);
    });

    const res = await app.get(`/api/quotes/${quoteId}/signature`, owner);

    assert.deepEqual(res.body, { signature: { ...shown, signedAt: signedAt.toISOString() } });
  });
});

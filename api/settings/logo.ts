import { createHash } from 'node:crypto';
import type { PermitRequest } from '../../adapters/fair-queue.ts';
import { ImageRefused, type Logo } from '../../adapters/images/images.ts';
import { ChildUnavailable } from '../../adapters/child-process/run-job.ts';
import { StorageUnavailable } from '../../adapters/storage.ts';
import { newId } from '../../db/ids.ts';
import { StoredFile } from '../../db/models/stored-file.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { logoNotFound, logoRefused, logoTypeNotAllowed, unavailable } from '../../domain/errors.ts';
import { logoKeyOf } from '../../domain/logo.ts';
import type { Deps } from '../deps.ts';
import { linkToLogo } from './present.ts';
import { findBusiness, lockBusiness } from './queries.ts';

/**
 * Re-encodes the file as a PNG, stores it under the hash of its content and sets it as the logo of the business. Equal
 * images share one file.
 */
export async function replaceLogo(deps: Deps, caller: Caller, { file, signal }: { file: Buffer; signal: AbortSignal }) {
  const { png, isLight, foreignFonts } = await reencoded(deps, file, { key: caller.tenantId, signal });
  const sha256 = createHash('sha256').update(png).digest('hex');
  const storageKey = logoKeyOf(caller.tenantId, { sha256, isLight });
  // Stored before the row that references it: an unreferenced file is harmless.
  await deps.storage.put(storageKey, png, 'image/png');
  await deps.withTenant(caller.tenantId, (trx) => nameLogo(trx, caller, { storageKey, sha256, sizeBytes: png.length }));
  const warnings = foreignFonts.map((font) => ({ path: 'logo', message: foreignFont(font) }));
  const logoUrl = await linkToLogo(deps.storage, storageKey);
  return { logoUrl, storageKey, ...(warnings.length > 0 && { warnings }) };
}

const foreignFont = (font: string): string =>
  `El texto usa la fuente «${font.slice(0, 80)}», que no tenemos, y se dibujó con otra; conviértalo en trazos para conservarla`;

/** The file of the logo. Throws a 404 without one, and a 503 while storage is unavailable. */
export async function readLogo({ storage, withTenant }: Deps, { tenantId }: Caller): Promise<Buffer> {
  const { logoKey } = await withTenant(tenantId, (trx) => findBusiness(trx, tenantId));
  if (logoKey === null) throw logoNotFound();
  try {
    return await storage.get(logoKey);
  } catch (error) {
    throw error instanceof StorageUnavailable ? unavailable(error) : error;
  }
}

/** Removes the logo. Its file is kept, because documents show it. */
export async function removeLogo(trx: TenantTransaction, caller: Caller): Promise<void> {
  const { logoKey } = await lockBusiness(trx, caller.tenantId);
  if (logoKey !== null) await setLogo(trx, caller, { before: logoKey, after: null });
}

async function reencoded({ images }: Deps, file: Buffer, permit: PermitRequest): Promise<Logo> {
  try {
    return await images.logo(file, permit);
  } catch (error) {
    if (error instanceof ImageRefused) {
      throw error.reason === undefined ? logoTypeNotAllowed(error) : logoRefused(error.reason, error);
    }
    throw error instanceof ChildUnavailable ? unavailable(error) : error;
  }
}

async function nameLogo(
  trx: TenantTransaction,
  caller: Caller,
  file: { storageKey: string; sha256: string; sizeBytes: number },
): Promise<void> {
  const { tenantId } = caller;
  const { logoKey } = await lockBusiness(trx, tenantId);
  await StoredFile.query(trx)
    .insert({ id: newId(), tenantId, kind: 'logo', quoteId: null, contentType: 'image/png', ...file })
    .onConflict(['tenantId', 'storageKey'])
    .ignore();
  await setLogo(trx, caller, { before: logoKey, after: file.storageKey });
}

async function setLogo(
  trx: TenantTransaction,
  caller: Caller,
  { before, after }: { readonly before: string | null; readonly after: string | null },
): Promise<void> {
  const { tenantId, requestId } = caller;
  await Tenant.query(trx).findById(tenantId).patch({ logoKey: after, updatedAt: new Date() });
  await recordAudit(trx, memberActor(caller), {
    action: 'update',
    entity: 'tenant',
    entityId: tenantId,
    metadata: { before: { logo: before }, after: { logo: after } },
  });
  if (before === after) return;
  await recordEvent(trx, { type: 'tenant.settings_changed', data: { changed: ['logo'] }, requestId });
}

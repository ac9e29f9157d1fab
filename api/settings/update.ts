import { isDeepStrictEqual } from 'node:util';
import { newId } from '../../db/ids.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { completeOnboardingStep } from '../../db/writes/complete-onboarding-step.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import { requestRescheduling } from '../../db/writes/rescheduling.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { REMINDER_SETTINGS } from '../../domain/expiry.ts';
import { decimalString } from '../../domain/money.ts';
import { assertFeature } from '../../domain/plans.ts';
import { timeZoneNamed } from '../../domain/zone.ts';
import { type Settings, settingsOf } from './present.ts';
import { findBusiness, lockBusiness } from './queries.ts';
import type { UpdateSettings } from './schema.ts';

/** What of the body only some plans may ask for, right after its shape (decisions, section 1). Removing is for all. */
export function assertAllowed({ plan }: Caller, { pdfBranding }: UpdateSettings): void {
  if (pdfBranding && !isRemoval(pdfBranding)) assertFeature(plan, 'pdf_branding');
}

const isRemoval = (members: object): boolean => {
  const values: readonly unknown[] = Object.values(members);
  return values.length > 0 && values.every((value) => value === null || value === '');
};

/** Changes the named settings, with one audit entry of what differs and, if anything does, tenant.settings_changed. */
export async function updateSettings(trx: TenantTransaction, caller: Caller, body: UpdateSettings): Promise<Tenant> {
  const { tenantId, requestId } = caller;
  const before = settingsOf(await lockBusiness(trx, tenantId));
  await Tenant.query(trx)
    .findById(tenantId)
    .patch({ ...columnsOf(body, before), updatedAt: new Date() });
  const updated = await findBusiness(trx, tenantId);

  const changed = differences(before, settingsOf(updated));
  await completeOnboardingStep(trx, tenantId, 'company_info');
  await recordAudit(trx, memberActor(caller), {
    action: 'update',
    entity: 'tenant',
    entityId: tenantId,
    metadata: changed,
  });
  const names = Object.keys(changed.after);
  if (names.length > 0) {
    const id = newId();
    await recordEvent(trx, { id, type: 'tenant.settings_changed', data: { changed: names }, requestId });
    if (names.some((name) => REMINDER_SETTINGS.includes(name))) await requestRescheduling(trx, id);
  }
  return updated;
}

/** The columns that the body names. "" means none, as null does. */
function columnsOf(body: UpdateSettings, before: Settings): Partial<Tenant> {
  const { companyName, email, phone, address, bankInfo, defaultNotes, taxRate, currency, pdfBranding } = body;
  const { quoteValidityDays, reminderDaysBefore, timeZone, country, locale, legalName, taxId, paperSize } = body;
  return {
    ...(companyName !== undefined && { companyName }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone: phone || null }),
    ...(address !== undefined && { address: address || null }),
    ...(bankInfo !== undefined && { bankInfo: merged(before.bankInfo, bankInfo) }),
    ...(defaultNotes !== undefined && { defaultNotes: defaultNotes ?? '' }),
    // 0 is a rate; only null means that none is set.
    ...(taxRate !== undefined && { taxRate: taxRate === null ? null : decimalString(taxRate) }),
    ...(quoteValidityDays !== undefined && { quoteValidityDays }),
    ...(currency !== undefined && { currency }),
    ...(pdfBranding !== undefined && { pdfBranding: merged(before.pdfBranding, pdfBranding) }),
    ...(reminderDaysBefore !== undefined && { reminderDaysBefore }),
    // As the time zone database writes it: the schema has let no other name through.
    ...(timeZone !== undefined && { timeZone: timeZoneNamed(timeZone) ?? timeZone }),
    ...(country !== undefined && { country }),
    ...(locale !== undefined && { locale }),
    ...(legalName !== undefined && { legalName: legalName || null }),
    ...(taxId !== undefined && { taxId: taxId || null }),
    ...(paperSize !== undefined && { paperSize }),
  };
}

/** What is stored of members of which some are changed, as JSON: null or "" removes one, and no members are null. */
function merged(before: object | null, change: object | null): string | null {
  const members = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null && value !== '');
  return change === null || members.length === 0 ? null : JSON.stringify(Object.fromEntries(members));
}

function differences(before: Settings, after: Settings): { before: Partial<Settings>; after: Partial<Settings> } {
  const changed = (Object.keys(after) as (keyof Settings)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  const only = (settings: Settings): Partial<Settings> =>
    Object.fromEntries(changed.map((name) => [name, settings[name]]));
  return { before: only(before), after: only(after) };
}

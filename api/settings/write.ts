import { isDeepStrictEqual } from 'node:util';
import { raw } from 'objection';
import { newId } from '../../db/ids.ts';
import { Tenant } from '../../db/models/tenant.ts';
import { completeOnboardingStep } from '../../db/writes/complete-onboarding-step.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import { requestRescheduling } from '../../db/writes/rescheduling.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { REMINDER_SETTINGS } from '../../domain/expiry.ts';
import { followUpDaysProblem } from '../../domain/follow-ups.ts';
import { decimalString } from '../../domain/money.ts';
import { invalidInput } from '../../domain/errors.ts';
import { DEFAULT_NUMBER_FORMAT } from '../../domain/quote-number.ts';
import { tableProblems, type TaxDefinition, taxTable } from '../../domain/taxes.ts';
import { assertFeature } from '../../domain/plans.ts';
import { timeZoneNamed } from '../../domain/zone.ts';
import type { IfMatch } from '../entity-tag.ts';
import { type Settings, settingsOf, settingsTag } from './present.ts';
import { assertNumberFormat, lockNextNumber, nextQuoteNumberOf, raiseNextNumber } from './numbering.ts';
import { type Business, findBusiness, lockBusiness } from './queries.ts';
import type { UpdateSettings } from './schema.ts';

/** Checks members that need a plan, before any other rule. Every plan may remove them. */
export function assertAllowed({ plan }: Caller, { pdfBranding }: UpdateSettings): void {
  if (pdfBranding && !isRemoval(pdfBranding)) assertFeature(plan, 'pdf_branding');
}

const isRemoval = (members: object): boolean => {
  const values: readonly unknown[] = Object.values(members);
  return values.length > 0 && values.every((value) => value === null || value === '');
};

type Tax = NonNullable<UpdateSettings['taxes']>[number];

/** The settings that audit entries compare. */
type Audited = Settings & Pick<Business, 'nextQuoteNumber'>;

/** Changes the given settings with an audit entry and, if any value differs, the event tenant.settings_changed. */
export async function updateSettings(
  trx: TenantTransaction,
  caller: Caller,
  { body, ifMatch }: { readonly body: UpdateSettings; readonly ifMatch: IfMatch | undefined },
): Promise<Business> {
  const { tenantId, requestId } = caller;
  assertNumberFormat(body.numberFormat);
  assertTaxes(body.taxes);
  assertFollowUpDays(body.followUpDays);
  const numberBefore = await (body.nextQuoteNumber === undefined ? nextQuoteNumberOf : lockNextNumber)(trx, tenantId);
  const business = await lockBusiness(trx, tenantId);
  ifMatch?.(settingsTag(business));
  const before = settingsOf(business);
  if (body.nextQuoteNumber !== undefined)
    await raiseNextNumber(trx, tenantId, { from: numberBefore, next: body.nextQuoteNumber });
  await Tenant.query(trx)
    .findById(tenantId)
    .patch({
      ...columnsOf(body, before),
      // The number is in a row of its own.
      ...((body.nextQuoteNumber ?? numberBefore) !== numberBefore && { revision: raw('revision + 1') }),
      updatedAt: new Date(),
    });
  const updated = await findBusiness(trx, tenantId);

  const nextQuoteNumber = body.nextQuoteNumber ?? numberBefore;
  const changed = differences(
    { ...before, nextQuoteNumber: numberBefore },
    { ...settingsOf(updated), nextQuoteNumber },
  );
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
  return { tenant: updated, nextQuoteNumber };
}

/** The columns of the members in the body. "" clears like null. */
function columnsOf(body: UpdateSettings, before: Settings): Partial<Tenant> {
  const { companyName, email, phone, address, bankInfo, defaultNotes, taxRate, currency, pdfBranding } = body;
  const { quoteValidityDays, reminderDaysBefore, timeZone, country, locale, legalName, taxId, paperSize } = body;
  const { defaultTerms, taxes, numberFormat, notifyOnAnswer, followUpDays } = body;
  return {
    ...(companyName !== undefined && { companyName }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone: phone || null }),
    ...(address !== undefined && { address: address || null }),
    ...(bankInfo !== undefined && { bankInfo: merged(before.bankInfo, bankInfo) }),
    ...(defaultNotes !== undefined && { defaultNotes: defaultNotes ?? '' }),
    // 0 is a valid rate; only null unsets it.
    ...(taxRate !== undefined && { taxRate: taxRate === null ? null : decimalString(taxRate) }),
    ...(quoteValidityDays !== undefined && { quoteValidityDays }),
    ...(currency !== undefined && { currency }),
    ...(pdfBranding !== undefined && { pdfBranding: merged(before.pdfBranding, pdfBranding) }),
    ...(reminderDaysBefore !== undefined && { reminderDaysBefore }),
    ...(notifyOnAnswer !== undefined && { notifyOnAnswer }),
    ...(followUpDays !== undefined && { followUpDays: followUpDays ?? [] }),
    // The canonical name; the schema accepts only names of the time zone database.
    ...(timeZone !== undefined && { timeZone: timeZoneNamed(timeZone) ?? timeZone }),
    ...(country !== undefined && { country }),
    ...(locale !== undefined && { locale }),
    ...(legalName !== undefined && { legalName: legalName || null }),
    ...(taxId !== undefined && { taxId: taxId || null }),
    ...(paperSize !== undefined && { paperSize }),
    ...(defaultTerms !== undefined && { defaultTerms: defaultTerms ?? '' }),
    ...(taxes !== undefined && { taxes: storedTaxes(taxes, country ?? before.country) }),
    ...(numberFormat !== undefined && { numberFormat: numberFormat ?? DEFAULT_NUMBER_FORMAT }),
  };
}

/** Merges changed members into the stored JSON. null or "" removes one; without members the result is null. */
function merged(before: object | null, change: object | null): string | null {
  const members = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null && value !== '');
  return change === null || members.length === 0 ? null : JSON.stringify(Object.fromEntries(members));
}

const storedTax = ({ code, name, kind, rate }: Tax): TaxDefinition => ({ code, name, kind, rate: decimalString(rate) });

/** The column; null stands for the country's table, which then follows the country. */
function storedTaxes(taxes: UpdateSettings['taxes'], country: string): string | null {
  const table = (taxes ?? []).map(storedTax);
  const isOwn = taxes && !isDeepStrictEqual(table, taxTable({ taxes: null, country }));
  return isOwn ? JSON.stringify(table) : null;
}

/** Throws a 400 for a tax table with a code twice, a reserved code, or an exempt tax with a rate. */
function assertTaxes(taxes: UpdateSettings['taxes']): void {
  const problems = tableProblems(taxes ?? []);
  if (problems.length > 0) throw invalidInput(problems);
}

/** Throws a 400 for days that are not distinct and ascending. */
function assertFollowUpDays(days: UpdateSettings['followUpDays']): void {
  const problem = followUpDaysProblem(days ?? []);
  if (problem) throw invalidInput([{ path: 'followUpDays', message: problem }]);
}

function differences(before: Audited, after: Audited): { before: Partial<Audited>; after: Partial<Audited> } {
  const changed = (Object.keys(after) as (keyof Audited)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  const only = (settings: Audited): Partial<Audited> =>
    Object.fromEntries(changed.map((name) => [name, settings[name]]));
  return { before: only(before), after: only(after) };
}

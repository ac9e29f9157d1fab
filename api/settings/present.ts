import type { Storage } from '../../adapters/storage.ts';
import type { Tenant } from '../../db/models/tenant.ts';
import { decimalNumber, decimalString } from '../../domain/money.ts';
import { type TaxDefinition, taxTable } from '../../domain/taxes.ts';
import { entityTag } from '../entity-tag.ts';
import type { Business } from './queries.ts';
import type { BankInfo, PdfBranding } from '../../domain/settings.ts';
import type { ResponseBody } from '../schema.ts';
import type { SettingsBody } from './schema.ts';

/** The settings in responses, without the link of the logo. */
export const settingsOf = (tenant: Tenant) => ({
  companyName: tenant.companyName,
  email: tenant.email,
  phone: tenant.phone,
  address: tenant.address,
  bankInfo: tenant.bankInfo === null ? null : bankInfoBody(tenant.bankInfo),
  defaultNotes: tenant.defaultNotes,
  taxRate: tenant.taxRate === null ? null : decimalString(tenant.taxRate),
  quoteValidityDays: tenant.quoteValidityDays,
  currency: tenant.currency,
  pdfBranding: tenant.pdfBranding === null ? null : pdfBrandingBody(tenant.pdfBranding),
  reminderDaysBefore: tenant.reminderDaysBefore,
  notifyOnAnswer: tenant.notifyOnAnswer,
  followUpDays: tenant.followUpDays,
  timeZone: tenant.timeZone,
  country: tenant.country,
  locale: tenant.locale,
  legalName: tenant.legalName,
  taxId: tenant.taxId,
  paperSize: tenant.paperSize,
  defaultTerms: tenant.defaultTerms,
  taxes: taxTable(tenant).map(taxBody),
  numberFormat: tenant.numberFormat,
});
/** Rates are numbers, so that the response can be sent back. */
export const taxBody = ({ code, name, kind, rate }: TaxDefinition) => ({ code, name, kind, rate: decimalNumber(rate) });
export type Settings = ReturnType<typeof settingsOf>;

export const settingsBody = async (
  storage: Storage,
  { tenant, nextQuoteNumber }: Business,
): Promise<ResponseBody<typeof SettingsBody>> => ({
  id: tenant.id,
  ...settingsOf(tenant),
  nextQuoteNumber,
  logoUrl: tenant.logoKey === null ? null : await linkToLogo(storage, tenant.logoKey),
});

/**
 * The entity tag of the settings. `nextQuoteNumber` raises it when it is set, and not with each new quote: an edit that
 * takes some minutes would always collide in a business that quotes a lot.
 */
export const settingsTag = ({ revision }: Tenant): string => entityTag(revision);

/** Links expire, so each read creates a new one. */
export const linkToLogo = (storage: Storage, logoKey: string): Promise<string> =>
  storage.presignedUrl(logoKey, { filename: 'logo.png', contentType: 'image/png' });

// Both columns contain only validated bodies. Unset members are absent, so that a response can be sent back as a body.
function bankInfoBody(json: string): BankInfo {
  const { bankName, clabe, beneficiary } = JSON.parse(json) as BankInfo;
  return {
    ...(bankName !== undefined && { bankName }),
    ...(clabe !== undefined && { clabe }),
    ...(beneficiary !== undefined && { beneficiary }),
  };
}

function pdfBrandingBody(json: string): PdfBranding {
  const { primaryColor, accentColor, fontFamily, headerLayout, footerText, paperSize } = JSON.parse(
    json,
  ) as PdfBranding;
  return {
    ...(primaryColor !== undefined && { primaryColor }),
    ...(accentColor !== undefined && { accentColor }),
    ...(fontFamily !== undefined && { fontFamily }),
    ...(headerLayout !== undefined && { headerLayout }),
    ...(footerText !== undefined && { footerText }),
    ...(paperSize !== undefined && { paperSize }),
  };
}

import type { Locale } from '../../domain/locale.ts';
import type { PaperSize } from '../../domain/paper.ts';
import type { Plan } from '../../domain/plans.ts';
import type { BankInfo, PdfBranding } from '../../domain/settings.ts';
import type { TaxKind } from '../../domain/taxes.ts';
import type { TimeZone } from '../../domain/zone.ts';
import type { FormState } from '../forms/form-state.ts';

/** A row of the tax table; the rate is a fraction. */
export interface TaxRow {
  readonly code: string;
  readonly name: string;
  readonly kind: TaxKind;
  readonly rate: number;
}

/** The settings of a business as the API returns them. */
export interface Settings {
  readonly companyName: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: string | null;
  readonly legalName: string | null;
  readonly taxId: string | null;
  readonly country: string;
  readonly timeZone: TimeZone;
  readonly locale: Locale;
  readonly currency: string;
  readonly bankInfo: BankInfo | null;
  readonly defaultNotes: string;
  readonly defaultTerms: string;
  readonly quoteValidityDays: number;
  readonly numberFormat: string;
  readonly nextQuoteNumber: number;
  readonly taxRate: string | null;
  readonly taxes: readonly TaxRow[];
  readonly paperSize: PaperSize | null;
  readonly pdfBranding: PdfBranding | null;
  readonly logoUrl: string | null;
  readonly notifyOnAnswer: boolean;
  readonly reminderDaysBefore: number;
  readonly followUpDays: readonly number[];
}

/** What every page of the settings shows. */
export interface SettingsView {
  readonly settings: Settings;
  readonly form: FormState;
  readonly plan: Plan;
}

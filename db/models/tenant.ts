import { Row } from './row.ts';
import type { Locale } from '../../domain/locale.ts';
import type { DecimalString } from '../../domain/money.ts';
import type { PaperSize } from '../../domain/paper.ts';
import type { Plan } from '../../domain/plans.ts';
import type { TimeZone } from '../../domain/zone.ts';

/** A business. Column types are those that pg returns. */
export class Tenant extends Row {
  static override readonly tableName = 'tenants';

  declare id: string;
  declare slug: string; //                     t- and 8 characters, immutable
  declare isVerified: boolean; //              false until its owner's address is confirmed
  declare companyName: string;
  declare email: string | null;
  declare phone: string | null;
  declare address: string | null;
  declare timeZone: TimeZone; //               IANA name, for all dates
  declare country: string; //                  ISO 3166-1 alpha-2
  declare locale: Locale; //                   of what its clients read
  declare legalName: string | null;
  declare taxId: string | null; //             as entered, valid or not
  declare paperSize: PaperSize | null; //      null = the country's
  declare plan: Plan; //                       text + check; FREE while disabled
  declare disabledAt: Date | null; //          by an operator
  declare planWhenEnabled: Plan | null; //     of a disabled tenant
  declare taxRate: DecimalString | null; //    numeric(5,4), null = none set
  declare currency: string; //                 ISO 4217
  declare quoteValidityDays: number;
  declare reminderDaysBefore: number;
  declare notifyOnAnswer: boolean; //          mails to creator and owners
  declare followUpDays: number[]; //           days after the last share, ascending
  declare defaultNotes: string;
  declare defaultTerms: string;
  declare taxes: string | null; //             JSON: TaxDefinition[]; null = the country's
  declare numberFormat: string;
  declare logoKey: string | null; //           the logo's storage key
  declare bankInfo: string | null; //          JSON text: BankInfo
  declare pdfBranding: string | null; //       JSON text: PdfBranding
  declare rescheduleEventId: string | null; // a settings change that has not reached all reminders
  declare createdAt: Date;
  declare updatedAt: Date;
  declare revision: number; // rises with each change (db/row-revision.ts)
}

import type { Locale } from '../../domain/locale.ts';
import { Row } from './row.ts';

/** A recipient of quotes. */
export class Client extends Row {
  static override readonly tableName = 'clients';

  declare id: string;
  declare tenantId: string;
  declare contactName: string;
  declare companyName: string | null;
  declare email: string | null;
  declare phone: string | null;
  declare taxId: string | null; //   as entered, valid or not
  declare address: string | null;
  declare country: string | null; // ISO 3166-1 alpha-2; null = the business's
  declare locale: Locale | null; //  null = the business's
  declare notes: string | null;
  declare contacts: string | null; // JSON: Contact[]; null = none
  declare isActive: boolean; //      false after DELETE; its quotes keep working
  declare createdAt: Date;
  declare updatedAt: Date; //        set by a trigger
}

import type { Locale } from '../../domain/locale.ts';

export interface Contact {
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly role: string | null;
}

/** A client as the API gives it. */
export interface ClientView {
  readonly id: string;
  readonly contactName: string;
  readonly companyName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly taxId: string | null;
  readonly address: string | null;
  readonly country: string;
  readonly locale: Locale | null;
  readonly notes: string | null;
  readonly contacts: readonly Contact[];
  readonly isActive: boolean;
  readonly createdAt: string;
}

export const CLIENTS_PATH = '/app/clients';

/** The name by which people find the client. */
export const clientName = ({ companyName, contactName }: Pick<ClientView, 'companyName' | 'contactName'>): string =>
  companyName ?? contactName;

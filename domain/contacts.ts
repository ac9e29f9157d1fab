/** More people of a client, besides its main contact. */

export const MAX_CONTACTS = 10;

export interface Contact {
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly role: string | null;
}

/** The contacts of a client's row, whose column is written from validated bodies only. */
export const contactsOf = ({ contacts }: { readonly contacts: string | null }): readonly Contact[] =>
  contacts === null ? [] : (JSON.parse(contacts) as readonly Contact[]);

/** What refusals are about. */

/** The records of the story that refusals are about. */
export interface Made {
  readonly tenantId: string;
  readonly colleague: Record<string, string>;
  readonly palma: string;
  readonly webhook: string;
  readonly label: string;
  readonly template: string;
  readonly automation: string;
  /** ACCEPTED. */
  readonly office: string;
  readonly token: string;
  /** Of the page of a REJECTED quote. */
  readonly lobbyToken: string;
  readonly expired: string;
  readonly expiredToken: string;
}

/** Of the form of an id, and of no record. */
export const UNKNOWN = 'c5tz6q8v0k3m9w2x7y4n1b0d2';
export const ITEM = { productName: 'Silla ejecutiva', unitPrice: 1850.5, quantity: 4 };

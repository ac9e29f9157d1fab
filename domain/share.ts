import { foldEmailAddress } from './email-address.ts';

/** Whom a quote is mailed to. */

export const MAX_SHARE_RECIPIENTS = 5;
export const MAX_SHARE_MESSAGE = 1_000;

export interface Recipient {
  /** Empty when the address is not one of the client's. */
  readonly name: string;
  readonly address: string;
}

export interface ShareRecipients {
  /** Null: the client, at its address at the time of sending. */
  readonly to: readonly Recipient[] | null;
  readonly cc: readonly Recipient[];
}

/** A person of the client: the client itself, or one of its contacts. */
export interface Addressee {
  readonly name: string;
  readonly email: string | null;
}

/**
 * The recipients of a request: each address once, the first of `to` and `cc` stays; with the names of the client's
 * people. `outsiders` are addresses of others. Undefined when the request names none.
 *
 * @param ascii gives an address with its domain in ASCII
 */
export function chooseRecipients(
  request: { readonly to?: readonly string[] | undefined; readonly cc?: readonly string[] | undefined },
  people: readonly Addressee[],
  ascii: (address: string) => string,
): (ShareRecipients & { readonly outsiders: readonly string[] }) | undefined {
  const { to = [], cc = [] } = request;
  if (to.length === 0 && cc.length === 0) return undefined;
  const keyOf = (address: string) => foldEmailAddress(ascii(address));
  const names = new Map<string, string>();
  for (const { name, email } of people.toReversed()) if (email) names.set(keyOf(email), name);
  const [client] = people;
  const seen = new Set<string>(to.length === 0 && client?.email ? [keyOf(client.email)] : []);
  const each = (addresses: readonly string[]): readonly Recipient[] =>
    addresses.flatMap((address) => {
      const key = keyOf(address);
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ name: names.get(key) ?? '', address }];
    });
  const chosen = { to: to.length === 0 ? null : each(to), cc: each(cc) };
  const outsiders = [...to, ...cc].filter((address) => !names.has(keyOf(address)));
  return { ...chosen, outsiders };
}

/** How many mails a share counts as. */
export const recipientCount = (recipients: ShareRecipients | undefined): number =>
  recipients ? (recipients.to?.length ?? 1) + recipients.cc.length : 1;

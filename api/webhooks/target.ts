import type { PermitRequest } from '../../adapters/fair-queue.ts';
import { urlNotCallable } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';

/**
 * Throws a 400 with the member's path for an address that may not be called. Call it outside of transactions, because
 * it resolves the host name. This is only an early check: each call of the address is checked again.
 */
export async function assertCallable(
  { outbound }: Pick<Deps, 'outbound'>,
  { path, url }: { readonly path: string; readonly url: string },
  permit: PermitRequest,
): Promise<void> {
  const message = await outbound.problemOf(url, permit);
  if (message !== undefined) throw urlNotCallable([{ path, message }]);
}

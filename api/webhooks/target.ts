import type { PermitRequest } from '../../adapters/fair-queue.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';

/**
 * Throws a 400 for an address that may not be called, with the member's path. Names are resolved for it, so it runs
 * before any transaction. The check that counts is made again at each call.
 */
export async function assertCallable(
  { outbound }: Pick<Deps, 'outbound'>,
  { path, url }: { readonly path: string; readonly url: string },
  turn: PermitRequest,
): Promise<void> {
  const message = await outbound.problemOf(url, turn);
  if (message !== undefined) throw invalidInput([{ path, message }]);
}

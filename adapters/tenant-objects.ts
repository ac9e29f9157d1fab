import pLimit from 'p-limit';
import type { Storage } from './storage.ts';

const CONCURRENCY = 8;

/** The folder of a tenant in the bucket. */
export const folderOf = (tenantId: string): string => `t/${tenantId}/`;

/** The keys of all objects of a tenant. */
export async function* objectsOf(storage: Pick<Storage, 'list'>, tenantId: string): AsyncGenerator<readonly string[]> {
  const folder = folderOf(tenantId);
  let after = folder;
  for (;;) {
    const { objects, hasMore } = await storage.list(after);
    const keys = objects.map(({ key }) => key).filter((key) => key.startsWith(folder));
    yield keys;
    const last = keys.at(-1);
    // In byte order, the first key of another folder ends this one.
    if (!hasMore || last === undefined || keys.length < objects.length) return;
    after = last;
  }
}

/** How many objects a tenant has. */
export async function countObjects(storage: Pick<Storage, 'list'>, tenantId: string): Promise<number> {
  let count = 0;
  for await (const keys of objectsOf(storage, tenantId)) count += keys.length;
  return count;
}

/** Removes all objects of a tenant. Returns how many. */
export async function removeObjects(storage: Pick<Storage, 'list' | 'remove'>, tenantId: string): Promise<number> {
  const limit = pLimit(CONCURRENCY);
  let removed = 0;
  for await (const keys of objectsOf(storage, tenantId)) {
    await Promise.all(keys.map((key) => limit(() => storage.remove(key))));
    removed += keys.length;
  }
  return removed;
}

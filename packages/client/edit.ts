import { type Answer, QuotingError, unwrap, unwrapTagged } from './refusal.ts';

/** Header of a request that fails with 412 if the record was changed since it was read. */
export type IfMatch = { readonly 'If-Match': string };

export interface EditOptions {
  /** Maximum number of times to read and write. Default: 3. */
  readonly attempts?: number;
}

/**
 * Reads a record and writes a change that is based on it. `headers` of the write make the service refuse it if somebody
 * else changed the record meanwhile; then both are repeated. Returns the response of the write.
 */
export async function edit<T, R>(
  read: () => Answer<T>,
  write: (record: T, headers: IfMatch) => Answer<R>,
  { attempts = 3 }: EditOptions = {},
): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    const { data, etag } = await unwrapTagged(read());
    if (etag === undefined) throw new TypeError('the record has no ETag');
    try {
      return await unwrap(write(data, { 'If-Match': etag }));
    } catch (error) {
      if (attempt >= attempts || !(error instanceof QuotingError) || error.code !== 'version_mismatch') throw error;
    }
  }
}

import type { Connection } from '@temporalio/client';
import type { SearchAttributeType } from '@temporalio/common';
// Deep import: the SDK encodes the type for its own use only; without it the enum's numbers would stand here.
import {
  encodeSearchAttributeIndexedValueType,
  type SearchAttributeKey,
} from '@temporalio/common/lib/search-attributes.js';

/**
 * Registers the search attributes that are missing. It runs before any worker starts: a workflow that sets an unknown
 * attribute stalls for ever.
 */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  keys: readonly SearchAttributeKey<SearchAttributeType>[],
): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = keys.filter((key) => !(key.name in customAttributes));
  if (missing.length === 0) return;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      missing.map((key) => {
        const type = encodeSearchAttributeIndexedValueType(key.type);
        if (type === undefined) throw new Error(`${key.name}: the SDK does not know the type ${key.type}`);
        return [key.name, type];
      }),
    ),
  });
}

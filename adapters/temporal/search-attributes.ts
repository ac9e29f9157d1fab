import type { Connection } from '@temporalio/client';
import type { SearchAttributeType } from '@temporalio/common';
// Deep import: the SDK encodes the type for its own use only; otherwise the enum's numbers would stand here.
import {
  encodeSearchAttributeIndexedValueType,
  type SearchAttributeKey,
} from '@temporalio/common/lib/search-attributes.js';
import { isReserved } from './status.ts';

export interface Registration {
  /** Names that were missing and have been registered. */
  readonly added: readonly string[];
  /** Names that are or may be missing, and that the server does not let us register. */
  readonly refused: readonly string[];
}

/**
 * Registers missing search attributes. Must run before any worker starts: a workflow that sets an unknown attribute
 * stalls until it is registered.
 */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  keys: readonly SearchAttributeKey<SearchAttributeType>[],
): Promise<Registration> {
  let missing = keys;
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    missing = keys.filter((key) => !(key.name in customAttributes));
    if (missing.length === 0) return { added: [], refused: [] };
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((key) => [key.name, encoded(key)])),
    });
    return { added: missing.map(nameOf), refused: [] };
  } catch (error) {
    if (!isReserved(error)) throw error;
    return { added: [], refused: missing.map(nameOf) };
  }
}

const nameOf = ({ name }: SearchAttributeKey<SearchAttributeType>): string => name;

function encoded({ name, type }: SearchAttributeKey<SearchAttributeType>) {
  const value = encodeSearchAttributeIndexedValueType(type);
  if (value === undefined) throw new Error(`${name}: unknown search attribute type ${type}`);
  return value;
}

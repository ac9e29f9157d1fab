import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import type { SearchAttributeType } from '@temporalio/common';
// Deep import: the SDK encodes the type for its own use only; otherwise the enum's numbers would stand here.
import {
  encodeSearchAttributeIndexedValueType,
  type SearchAttributeKey,
} from '@temporalio/common/lib/search-attributes.js';
import { isRefused, isReserved } from './status.ts';

/** The parts of a cluster learn of new attributes one after the other, within about ten seconds. */
const KNOWN_WITHIN_MS = 30_000;
const POLL_MS = 250;

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

/**
 * Waits until the server takes the attributes: until then it refuses every start that sets one. Throws when it does not
 * within half a minute.
 */
export async function untilSearchAttributesKnown(
  connection: Connection,
  namespace: string,
  keys: readonly SearchAttributeKey<SearchAttributeType>[],
): Promise<void> {
  const deadline = Date.now() + KNOWN_WITHIN_MS;
  // Finds nothing, and names them all: what counting refuses, starting refuses.
  const query = `WorkflowId = '-' and (${keys.map(({ name }) => `${name} is null`).join(' or ')})`;
  for (;;) {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace, query });
      return;
    } catch (error) {
      if (isReserved(error)) return;
      if (!isRefused(error) || Date.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
}

const nameOf = ({ name }: SearchAttributeKey<SearchAttributeType>): string => name;

function encoded({ name, type }: SearchAttributeKey<SearchAttributeType>) {
  const value = encodeSearchAttributeIndexedValueType(type);
  if (value === undefined) throw new Error(`${name}: unknown search attribute type ${type}`);
  return value;
}

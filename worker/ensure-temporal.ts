import { type Connection, ScheduleClient } from '@temporalio/client';
import type { Log } from '../adapters/log.ts';
import type { NamespaceOptions } from '../adapters/temporal/connection.ts';
import { ensureNamespace } from '../adapters/temporal/ensure-namespace.ts';
import { registerSearchAttributes, untilSearchAttributesKnown } from '../adapters/temporal/search-attributes.ts';
import { isReserved } from '../adapters/temporal/status.ts';
import { attributes } from '../workflows/contract.ts';
import { ensureSchedules } from './housekeeping-schedules.ts';

export interface EnsureDeps extends NamespaceOptions {
  readonly connection: Connection;
  readonly log: Log;
}

/** Warnings that this process has logged: one that only an administrator can resolve is not repeated every minute. */
const warned = new Set<string>();

/** Connections through which a check that then failed has found something missing. */
const foundMissing = new WeakSet<Connection>();

/** Connections whose server accepts the search attributes. */
const knowsAttributes = new WeakSet<Connection>();

/**
 * Creates what the service needs in Temporal, if it is missing: namespace, search attributes, schedules. The migration step
 * calls this, and each pass of the reconciler, since Temporal may have lost its store. What only the server's
 * administrators may create is requested in the log. Returns whether anything was missing, also in an earlier check that
 * failed: then no workflow may be running.
 */
export async function ensureTemporal({
  connection,
  namespace,
  dataConverter,
  log,
}: EnsureDeps): Promise<{ readonly isNew: boolean }> {
  const warnOnce = (text: string) => {
    if (warned.has(text)) return;
    warned.add(text);
    log.warn({ namespace }, text);
  };

  const state = await ensureNamespace(connection, namespace);
  if (state === 'created') {
    foundMissing.add(connection);
    log.info({ namespace }, 'the namespace was missing in Temporal and was made');
  }
  if (state === 'refused') {
    warnOnce(`Temporal has no namespace ${namespace} and does not let us make it: make it there`);
    return { isNew: false };
  }

  const { added, refused } = await registerSearchAttributes(connection, namespace, Object.values(attributes)).catch(
    (error: unknown) => {
      // They may have been added all the same.
      foundMissing.add(connection);
      throw error;
    },
  );
  if (added.length > 0) foundMissing.add(connection);
  // Another process may have registered them just now, so this is asked once by each, and again after a loss.
  if (state === 'created' || added.length > 0) knowsAttributes.delete(connection);
  if (refused.length === 0 && !knowsAttributes.has(connection)) {
    await untilSearchAttributesKnown(connection, namespace, Object.values(attributes));
    knowsAttributes.add(connection);
  }
  if (refused.length > 0) {
    warnOnce(`Temporal does not let us register search attributes: see there that these exist: ${types(refused)}`);
  }
  try {
    const schedules = new ScheduleClient({ connection, namespace, ...(dataConverter && { dataConverter }) });
    // A server that registers namespace and attributes when it starts lacks nothing else after a loss.
    if (await ensureSchedules(schedules, log)) foundMissing.add(connection);
  } catch (error) {
    if (!isReserved(error)) throw error;
    warnOnce('Temporal does not let us make schedules: nothing is cleared away and no audit log is sealed');
  }
  return { isNew: foundMissing.delete(connection) };
}

const types = (names: readonly string[]): string =>
  Object.values(attributes)
    .filter(({ name }) => names.includes(name))
    .map(({ name, type }) => `${name} (${type})`)
    .join(', ');

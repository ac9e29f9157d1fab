import { BATCH, purge } from '../../db/writes/purge.ts';
import type { Chore } from '../../domain/housekeeping.ts';
import { type AuditSealDeps, sealAuditLogs } from './audit-seals.ts';
import { purgeRegistrations, type RegistrationDeps } from './registrations.ts';
import { checkStoredFiles, type StoredFilesDeps } from './stored-files.ts';
import { purgeStoredPdfs, type StoredPdfDeps } from './stored-pdfs.ts';
import type { Storage } from '../../adapters/storage.ts';

export interface HousekeepingDeps extends Omit<StoredPdfDeps, 'storage'>, StoredFilesDeps, RegistrationDeps {
  readonly storage: Pick<Storage, 'remove' | 'list'>;
  readonly metrics?: (StoredFilesDeps['metrics'] & Exclude<AuditSealDeps['metrics'], undefined>) | undefined;
}

/** Part of a chore: what it is, and where the part before left off. */
export interface ChorePart {
  readonly chore: Chore;
  readonly after?: string | undefined;
}

export interface ChoreStep {
  /** Rows, files or entries that were dealt with. */
  readonly done: number;
  /** Where to go on; absent when the chore is done. */
  readonly after?: string;
}

/** Milliseconds after which no new batch is begun: a worker that stops waits ten seconds. */
const PART_MS = 6_000;

export const createHousekeepingActivities = (deps: HousekeepingDeps) => ({
  /** Does a chore for some seconds. Repeating a part is harmless: what is gone is gone, what is sealed is sealed. */
  async doChore({ chore, after = '' }: ChorePart): Promise<ChoreStep> {
    const until = Date.now() + PART_MS;
    let done = 0;
    let at: string | undefined = after;
    do {
      const batch: { readonly done: number; readonly after: string | undefined } = await doBatch(deps, chore, at);
      done += batch.done;
      at = batch.after;
    } while (at !== undefined && Date.now() < until);
    return at === undefined ? { done } : { done, after: at };
  },
});
export type HousekeepingActivities = ReturnType<typeof createHousekeepingActivities>;

async function doBatch(deps: HousekeepingDeps, chore: Chore, after: string) {
  switch (chore) {
    case 'audit_seals':
      return sealAuditLogs(deps, after);
    case 'registrations':
      return purgeRegistrations(deps);
    case 'stored_pdfs':
      return purgeStoredPdfs(deps, after);
    case 'stored_files':
      return checkStoredFiles(deps, after);
    case 'webhook_bodies':
    case 'webhook_deliveries':
    case 'outbox_events':
    case 'idempotency_keys':
    case 'sessions':
    case 'account_mails':
    case 'one_time_tokens':
    case 'notifications':
    case 'automation_logs':
    case 'imports': {
      const done = await purge(deps.dispatcher, chore, deps.retention);
      return { done, after: done < BATCH ? undefined : '' };
    }
    default:
      // A newer version's schedule may ask for what this one does not know; its own workers will do it.
      throw new Error(`unknown chore ${String(chore satisfies never)}`);
  }
}

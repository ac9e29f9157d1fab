import type { DispatcherDb } from '../../db/dispatcher-db.ts';
import type { Log } from '../../adapters/log.ts';
import type { WorkerMetrics } from '../../adapters/metrics/metrics.ts';
import type { Storage } from '../../adapters/storage.ts';
import { filesInOrder, type ListedFile } from '../../db/reads/compare-files.ts';

/** Database and storage are backed up apart, and one may be restored without the other: this finds what only one has. */

export interface StoredFilesDeps {
  readonly dispatcher: DispatcherDb;
  readonly storage: Pick<Storage, 'list'>;
  readonly log: Log;
  readonly metrics?: Pick<WorkerMetrics, 'signedPdfsLost' | 'storedFilesAmiss'> | undefined;
}

export interface Comparison {
  /** Files that the database names and the storage lacks. */
  readonly missing: readonly ListedFile[];
  /** Keys of objects that the database does not name. */
  readonly unknown: readonly string[];
  readonly compared: number;
  /** Where to go on; undefined at the end. */
  readonly after: string | undefined;
}

const PAGE = 1_000;
/** What is younger may be on its way: a row or its object is written first. */
const SETTLED_MS = 300_000;
const LOST = 'documents of signatures are not in the storage: restore its backup';
/** Keys in one line of the log. */
const NAMED = 20;

/** Compares one page of the database's files with the objects of the same keys. */
export async function compareFiles(
  { dispatcher, storage }: Pick<StoredFilesDeps, 'dispatcher' | 'storage'>,
  after: string,
  settledMs: number = SETTLED_MS,
): Promise<Comparison> {
  // Objects first: a file that is stored meanwhile has its row by then, or is young.
  const { objects, hasMore } = await storage.list(after);
  const files = await filesInOrder(dispatcher, { after, limit: PAGE });
  const ends = [
    ...(hasMore ? [objects.at(-1)?.key ?? ''] : []),
    ...(files.length === PAGE ? [files.at(-1)?.storageKey ?? ''] : []),
  ];
  const until = ends.sort(byBytes)[0];
  const isHere = (key: string) => until === undefined || byBytes(key, until) <= 0;
  const before = Date.now() - settledMs;
  const here = files.filter(({ storageKey }) => isHere(storageKey));
  const stored = new Set(objects.map(({ key }) => key));
  const named = new Set(here.map(({ storageKey }) => storageKey));
  return {
    missing: here.filter(
      ({ storageKey, createdAt, isReferenced }) =>
        isReferenced && !stored.has(storageKey) && createdAt.getTime() <= before,
    ),
    unknown: objects
      .filter(({ key, modifiedAt }) => isHere(key) && !named.has(key) && modifiedAt.getTime() <= before)
      .map(({ key }) => key),
    compared: here.length,
    after: until,
  };
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Compares one page and logs the differences. A lost signed document cannot be drawn again. */
export async function checkStoredFiles(
  deps: StoredFilesDeps,
  after: string,
): Promise<{ readonly done: number; readonly after: string | undefined }> {
  const { missing, unknown, compared, after: next } = await compareFiles(deps, after);
  const evidence = missing.filter(({ isEvidence }) => isEvidence);
  const uploads = missing.filter(({ kind, isEvidence }) => !isEvidence && (kind === 'logo' || kind === 'attachment'));
  const { log, metrics } = deps;
  const keys = (files: readonly ListedFile[]) => files.slice(0, NAMED).map(({ storageKey }) => storageKey);
  if (evidence.length > 0) {
    metrics?.signedPdfsLost.inc({ loss: 'missing' }, evidence.length);
    log.error({ count: evidence.length, keys: keys(evidence) }, LOST);
  }
  // Other PDFs are drawn again on request.
  if (missing.length > evidence.length) {
    metrics?.storedFilesAmiss.inc({ what: 'missing' }, uploads.length);
    log.warn(
      { count: missing.length - evidence.length, uploads: keys(uploads) },
      'files of the database are not in the storage',
    );
  }
  if (unknown.length > 0) {
    metrics?.storedFilesAmiss.inc({ what: 'unknown' }, unknown.length);
    log.warn({ count: unknown.length, keys: unknown.slice(0, NAMED) }, 'files of the storage are not in the database');
  }
  return { done: compared, after: next };
}

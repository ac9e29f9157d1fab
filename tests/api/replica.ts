import assert from 'node:assert/strict';
import { type Credential, service } from './service.ts';

export interface Synchronised {
  readonly id: string;
  readonly updatedAt: string;
}

export const LONG_AGO = '2000-01-01T00:00:00Z';

/** A copy of a list that a caller keeps by `updatedSince` and cursor, as docs/guides/pagination.md describes. */
export class Replica<Row extends Synchronised = Synchronised> {
  readonly rows = new Map<string, Row>();
  private since = LONG_AGO;
  private readonly path: string;
  private readonly as: Credential;
  private readonly limit: number;

  constructor(path: string, as: Credential, limit = 100) {
    this.path = path;
    this.as = as;
    this.limit = limit;
  }

  /** Reads what changed since the last round, and answers it. `betweenPages` runs before each further page. */
  async round(betweenPages: () => Promise<void> = () => Promise.resolve()): Promise<readonly Row[]> {
    const app = await service();
    const read: Row[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = new URLSearchParams({ updatedSince: this.since, limit: String(this.limit), cursor });
      const res = await app.get(`${this.path}?${query.toString()}`, this.as);
      assert.equal(res.status, 200, JSON.stringify(res.body));
      assert.ok(res.body.data.length <= this.limit);
      read.push(...res.body.data);
      cursor = res.body.nextCursor;
      if (cursor !== null) await betweenPages();
    }
    for (const row of read) this.rows.set(row.id, row);
    this.since = read.at(-1)?.updatedAt ?? this.since;
    return read;
  }
}

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Credential, Service } from '../../api/service.ts';

/** A call of the story and its response, as they were. */
export interface Exchange {
  /** As declared: "POST /api/quotes/:id/share". */
  readonly route: string;
  readonly status: number;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** JSON; undefined without a body, and for a form. */
  readonly request: unknown;
  /** JSON or text; undefined for other content. */
  readonly response: unknown;
  /** Whether it may become an example; some calls only prepare others. */
  readonly isExample: boolean;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The time of the call in the story. */
  readonly storyTime: number;
}

interface CallOptions {
  /** Default: the key of the business. */
  readonly as?: Credential;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Credential;
  readonly body?: unknown;
  readonly form?: FormData;
  /** Default: any success. */
  readonly status?: number;
  readonly isExample?: boolean;
  /** Another API than that of the story. */
  readonly of?: Pick<Service, 'request'>;
}

/** Minutes between calls would look invented; seconds between them do not. */
const STEP_MS = 97_310;
const MAX_TRIES = 10;
const RETRY_MS = 2_000;

/** Makes the calls of the story and remembers them in order. */
export function createRecorder(app: Pick<Service, 'request'>) {
  const exchanges: Exchange[] = [];
  const literals = new Map<string, string>();
  let clock = 0;
  let owner: Credential = {};

  return {
    exchanges,
    /** Texts of this run with what replaces them. */
    literals,
    /** A time that the next call sends is so long after it in the story. */
    laterBy: (at: Date, ms: number): string => {
      literals.set(at.toISOString(), new Date(clock + STEP_MS + ms).toISOString());
      return at.toISOString();
    },
    /** The credential of calls that name none. */
    actAs: (as: Credential): void => {
      owner = as;
    },
    /** Later calls happen from this time of the story on: an added call does not move those of other chapters. */
    chapter: (at: string): void => {
      clock = Date.parse(at);
    },
    /** Reads something that is no part of the story, such as whether a step is over. */
    // oxlint-disable-next-line typescript/no-explicit-any -- as below
    look: async (path: string): Promise<any> => {
      return (await app.request('GET', path, { headers: owner })).body;
    },
    /** Makes the call, checks its status and returns the body. */
    // oxlint-disable-next-line typescript/no-explicit-any -- like a response of `service`: the story reads what it expects
    call: async (route: string, options: CallOptions = {}): Promise<any> => {
      const { as = owner, params = {}, query = {}, headers = {}, body, form, status, of = app } = options;
      const [method = '', template = ''] = route.split(' ');
      const path = template.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
      const search = new URLSearchParams(query).toString();
      clock += STEP_MS;
      const startedAt = Date.now();
      const send = () =>
        of.request(method, search === '' ? path : `${path}?${search}`, {
          headers: { ...as, ...headers },
          ...(body === undefined && form === undefined ? {} : { body: form ?? body }),
        });
      let res = await send();
      // On a busy machine a PDF or a mail may take longer than a caller waits; the next call joins the one in progress.
      const isBusy = () => res.status === 503 || res.body?.code === 'request_in_progress';
      for (let tries = 1; isBusy() && res.status !== status && tries < MAX_TRIES; tries += 1) {
        await sleep(RETRY_MS);
        res = await send();
      }
      const type = res.headers.get('Content-Type') ?? '';
      exchanges.push({
        route,
        status: res.status,
        params,
        query,
        request: body,
        response: res.body ?? (type.startsWith('text/') ? res.bytes.toString() : undefined),
        isExample: options.isExample ?? true,
        startedAt,
        endedAt: Date.now(),
        storyTime: clock,
      });
      const expected = status === undefined ? res.status < 300 : res.status === status;
      assert.ok(expected, `${route}: ${res.status} ${JSON.stringify(res.body)}`);
      return res.body ?? res.bytes;
    },
  };
}

export type Recorder = ReturnType<typeof createRecorder>;

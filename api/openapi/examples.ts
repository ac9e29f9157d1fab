import { readdirSync, readFileSync } from 'node:fs';

/**
 * Requests and responses recorded by `npm run openapi:examples` from a story that calls the API. They are data, so that
 * the document shows what the service really answers.
 */

/** An error body of the service. */
export interface RecordedError {
  readonly error: string;
  readonly code: string;
  readonly reason: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

/** What was recorded of one operation. */
interface OperationExamples {
  readonly request?: unknown;
  /** Bodies of successes, by status; null for a content that is no text. */
  readonly responses: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, readonly RecordedError[]>>;
}

interface Recorded {
  readonly operations: ReadonlyMap<string, OperationExamples>;
  /** Bodies of webhook calls by event. */
  readonly events: Readonly<Record<string, unknown>>;
  /** The errors of each reason, of any operation. */
  readonly errors: ReadonlyMap<string, readonly RecordedError[]>;
}

const FOLDER = new URL('examples/', import.meta.url);
const EVENTS = 'events.json';

let recorded: Recorded | undefined;

/** Read once, when the first document is built. */
export const recordedExamples = (): Recorded => (recorded ??= read());

function read(): Recorded {
  // Written by the story, which names every member.
  const parse = (file: string): unknown => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
  const operations = new Map<string, OperationExamples>();
  for (const file of readdirSync(FOLDER)) {
    if (file === EVENTS) continue;
    const own = parse(file) as Readonly<Record<string, OperationExamples>>;
    for (const [operationId, examples] of Object.entries(own)) operations.set(operationId, examples);
  }
  const errors = new Map<string, readonly RecordedError[]>();
  for (const body of [...operations.values()].flatMap((each) => Object.values(each.errors).flat()))
    errors.set(body.reason, [...(errors.get(body.reason) ?? []), body]);
  return {
    operations,
    events: parse(EVENTS) as Recorded['events'],
    errors,
  };
}

import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { Client } from 'pg';
import { readMigrateConfig } from '../../adapters/config.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import { closedOff } from './conformance.ts';

/** Checks bodies of events against the `webhooks` section of the OpenAPI document. */

interface Documented {
  readonly webhooks: Readonly<
    Record<string, { readonly post: { readonly requestBody: { readonly content: Content } } }>
  >;
  readonly components: object;
}
interface Content {
  readonly 'application/json': { readonly schema: object };
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
// CommonJS: under nodenext the plugin is the default of its namespace.
formats.default(ajv);

let validators: ReadonlyMap<string, ValidateFunction> | undefined;

function compiled(): ReadonlyMap<string, ValidateFunction> {
  // The section does not depend on the routes. The document has the type object.
  const { webhooks, components } = closedOff(openApiDocument([], 'http://127.0.0.1')) as Documented;
  return new Map(
    Object.entries(webhooks).map(([event, { post }]) => [
      event,
      ajv.compile({ ...post.requestBody.content['application/json'].schema, components }),
    ]),
  );
}

/** What is wrong with the body of a subscribable event; undefined for a valid body, and for any other event. */
export function problemOfBody(event: string, body: string): string | undefined {
  if (!(SUBSCRIBABLE_EVENTS as readonly string[]).includes(event)) return undefined;
  validators ??= compiled();
  const valid = validators.get(event);
  // The body of a row that a test inserted itself, which no event produced.
  if (body === '{}') return undefined;
  if (!valid) return `${event}: not in the webhooks section`;
  return valid(JSON.parse(body)) ? undefined : `${event}: ${ajv.errorsText(valid.errors)}\n${body}`;
}

/** Fails if the body of any event in the database of this process does not match the document. */
export async function assertDocumentedEvents(env: Readonly<Record<string, string>>): Promise<void> {
  const client = new Client({ connectionString: readMigrateConfig(env).DATABASE_ADMIN_URL });
  await client.connect();
  try {
    const { rows } = await client.query<{ type: string; payload: string }>('select type, payload from outbox_events');
    assert.deepEqual(
      rows.flatMap(({ type, payload }) => problemOfBody(type, payload) ?? []),
      [],
    );
  } finally {
    await client.end();
  }
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../api/openapi/document.ts';
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
  validators ??= compiled();
  const valid = validators.get(event);
  // The body of a row that a test inserted itself, which no event produced.
  if (body === '{}') return undefined;
  if (!valid || valid(JSON.parse(body))) return undefined;
  return `${event}: ${ajv.errorsText(valid.errors)}\n${body}`;
}

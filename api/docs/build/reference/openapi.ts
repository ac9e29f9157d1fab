import { addressPart } from '../slugs.ts';

/** The parts of an OpenAPI 3.1 document that the reference shows. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<
    Record<string, { readonly $ref?: string; readonly summary?: string; readonly value?: unknown }>
  >;
}

export interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>;
  readonly content?: Readonly<Record<string, Content>>;
  /** The reasons of an error response, each with a sentence. */
  readonly 'x-reasons'?: Readonly<Record<string, string>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly description?: string;
    readonly required?: boolean;
    readonly content?: Readonly<Record<string, Content>>;
  };
  readonly responses?: Readonly<Record<string, Response>>;
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export interface Operation extends OperationObject {
  readonly method: string;
  readonly path: string;
}

/** Every operation, in the order of the document. */
export const operationsOf = ({ paths }: OpenApi): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ ...operation, method: method.toUpperCase(), path }] : [];
    }),
  );

/** The path for API keys: what a session calls under /api, a key calls under /api/v1. */
export function pathForKeys({ path, security = [] }: Operation): string {
  const takesKey = security.some((scheme) => 'apiKey' in scheme);
  return takesKey ? path.replace(/^\/api\/(?!v1\/|auth\/)/, '/api/v1/') : path;
}

/** The name of a component: `#/components/schemas/Quote` → `Quote`. */
export const nameOf = (ref: string): string => ref.split('/').at(-1) ?? '';

/** The object that a reference names, or the object itself. */
export function resolved<T extends { readonly $ref?: string }>(document: OpenApi, given: T): T {
  if (given.$ref === undefined) return given;
  const found = given.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
  if (typeof found !== 'object' || found === null) throw new Error(`the OpenAPI document has no ${given.$ref}`);
  // Members next to a reference add to it, as OpenAPI 3.1 allows.
  return { ...(found as T), ...given };
}

/** The example of a body: the only one, or the first of several. */
export function exampleOf(document: OpenApi, { example, examples = {} }: Content): unknown {
  if (example !== undefined) return example;
  const [first] = Object.values(examples);
  return first && resolved(document, first).value;
}

/** The operations of a tag, which have a page. */
export interface Group {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly operations: readonly Operation[];
}

export const ROOT = '/docs/reference';
export const EVENTS_PAGE = `${ROOT}/events`;
export const MODELS_PAGE = `${ROOT}/models`;

/** The operations by tag, in the order of the document. */
export function groupsOf(document: OpenApi): readonly Group[] {
  const operations = operationsOf(document);
  const described = new Map((document.tags ?? []).map(({ name, description = '' }) => [name, description]));
  const names = [...new Set([...described.keys(), ...operations.flatMap(({ tags = [] }) => tags.slice(0, 1))])];
  return names
    .map((name) => ({
      name,
      description: described.get(name) ?? '',
      path: `${ROOT}/${addressPart(name)}`,
      operations: operations.filter(({ tags = [] }) => tags[0] === name),
    }))
    .filter((group) => group.operations.length > 0);
}

export const isError = (status: string): boolean => Number(status) >= 400;

/** A reason that an operation can be refused for. */
export interface DeclaredError {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Every reason that an operation declares, by status. */
export const errorsOf = (document: OpenApi, { responses = {} }: Operation): readonly DeclaredError[] =>
  Object.entries(responses)
    .filter(([status]) => isError(status))
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .flatMap(([status, given]) =>
      Object.entries(resolved(document, given)['x-reasons'] ?? {}).map(([reason, message]) => ({
        status,
        reason,
        message,
      })),
    );

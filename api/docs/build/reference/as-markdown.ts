import {
  EVENTS_PAGE,
  errorsOf,
  exampleOf,
  type Group,
  groupsOf,
  isError,
  MODELS_PAGE,
  nameOf,
  type OpenApi,
  type Operation,
  pathForKeys,
  resolved,
  ROOT,
  type Schema,
} from './openapi.ts';

/** A page of the reference as Markdown. */
export interface MarkdownPage {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** The pages of the reference as Markdown: the same as the rendered ones. */
export function referenceMarkdown(document: OpenApi): readonly MarkdownPage[] {
  const groups = groupsOf(document);
  return [
    { path: `${ROOT}.md`, title: 'API reference', text: overview(document, groups) },
    ...groups.map((group) => ({ path: `${group.path}.md`, title: group.name, text: groupText(document, group) })),
    { path: `${EVENTS_PAGE}.md`, title: 'Webhook events', text: eventsText(document) },
    { path: `${MODELS_PAGE}.md`, title: 'Models', text: modelsText(document) },
  ];
}

const overview = ({ info }: OpenApi, groups: readonly Group[]): string =>
  [
    '# API reference',
    info.description ?? '',
    ...groups.map(({ name, path, operations }) =>
      [`## [${name}](${path}.md)`, '', ...operations.map((each) => `- ${routeOf(each)}: ${titleOf(each)}`)].join('\n'),
    ),
    `Bodies of webhook calls: [Webhook events](${EVENTS_PAGE}.md). Named shapes: [Models](${MODELS_PAGE}.md).`,
    '',
  ].join('\n\n');

const groupText = (document: OpenApi, { name, description, operations }: Group): string =>
  [
    `# ${name}`,
    description,
    `Shapes with a name are in [Models](${MODELS_PAGE}.md), reasons of errors in [Errors](/docs/guides/errors.md).`,
    ...operations.flatMap((each) => operationText(document, each)),
    '',
  ].join('\n\n');

const titleOf = ({ operationId, summary }: Operation): string => `${summary ?? operationId} (\`${operationId}\`)`;
const routeOf = (operation: Operation): string => `\`${operation.method} ${pathForKeys(operation)}\``;

function operationText(document: OpenApi, operation: Operation): readonly string[] {
  const { description, parameters = [], requestBody, responses = {} } = operation;
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const successes = Object.entries(responses).filter(([status]) => !isError(status));
  return [
    `## ${titleOf(operation)}`,
    routeOf(operation),
    ...(description ? [description] : []),
    callersOf(operation),
    ...(parameters.length === 0
      ? []
      : [
          parameters
            .map((each) => resolved(document, each))
            .map(({ name, in: place, required, schema = {}, description: about }) =>
              line(`${name}\` (${place}${required === true ? ', required' : ''})`, schema, about),
            )
            .join('\n'),
        ]),
    ...(content && type ? [`Request: ${type}, ${typeOf(content.schema ?? {})}`] : []),
    ...(type === 'application/json' && content ? json(exampleOf(document, content)) : []),
    ...successes.flatMap(([status, given]) => successText(document, status, given)),
    errorsText(document, operation),
  ].filter((part) => part !== '');
}

function callersOf(operation: Operation): string {
  const { security = [], path } = operation;
  const names = security.flatMap((scheme) => Object.keys(scheme));
  if (names.length === 0) return 'Public: needs no credentials.';
  if (!names.includes('session')) return 'Called with an API key.';
  return path === pathForKeys(operation)
    ? 'Called with an API key or a session.'
    : `Called with an API key, or with a session at \`${path}\`.`;
}

function successText(document: OpenApi, status: string, given: object): readonly string[] {
  const { description = '', content = {} } = resolved(document, given as NonNullable<Operation['responses']>[string]);
  const bodies = Object.entries(content).map(([type, { schema = {} }]) => `${type}, ${typeOf(schema)}`);
  const body = content['application/json'];
  return [
    `Response ${status}: ${[description, ...bodies].filter(Boolean).join('; ')}`,
    ...(body ? json(exampleOf(document, body)) : []),
  ];
}

/** One line for each status. */
function errorsText(document: OpenApi, operation: Operation): string {
  const errors = errorsOf(document, operation);
  const statuses = [...new Set(errors.map(({ status }) => status))];
  const reasonsOf = (status: string) =>
    errors.filter((each) => each.status === status).map(({ reason }) => `\`${reason}\``);
  return statuses.length === 0
    ? ''
    : ['Errors:', '', ...statuses.map((status) => `- ${status}: ${reasonsOf(status).join(', ')}`)].join('\n');
}

const json = (example: unknown): readonly string[] =>
  example === undefined ? [] : [`\`\`\`json\n${JSON.stringify(example)}\n\`\`\``];

function eventsText(document: OpenApi): string {
  const events = Object.entries(document.webhooks ?? {}).map(([name, { post }]) => {
    const content = post?.requestBody?.content?.['application/json'] ?? {};
    const parts = [`## ${name}`, post?.description ?? '', `Body: ${typeOf(content.schema ?? {})}`];
    return [...parts, ...json(exampleOf(document, content))].join('\n\n');
  });
  return ['# Webhook events', 'The request that each event makes to its subscribers.', ...events, ''].join('\n\n');
}

function modelsText(document: OpenApi): string {
  const models = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => {
    const members = membersOf(schema);
    const shape = members.length > 0 ? members.join('\n') : typeOf(schema);
    return [`## ${name}`, ...(schema.description ? [schema.description] : []), shape].join('\n\n');
  });
  return ['# Models', 'The named shapes of requests and responses.', ...models, ''].join('\n\n');
}

const membersOf = ({ properties = {}, required = [], additionalProperties: others }: Schema): readonly string[] => [
  ...Object.entries(properties).map(([name, part]) =>
    line(`${name}\`${required.includes(name) ? ' (required)' : ''}`, part),
  ),
  ...(typeof others === 'object' ? [line('*` (any other name)', others)] : []),
];

/** A member or parameter: the name with what follows it, the type, the limits and the description. */
const line = (name: string, schema: Schema, description = schema.description): string =>
  `- \`${name}: ${[typeOf(schema), ...limitsOf(schema)].join(', ')}${description ? `. ${description.replaceAll('\n', ' ')}` : ''}`;

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches) return [...new Set(branches.map(typeOf))].join(' | ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' and ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const types = [schema.type ?? 'any'].flat();
  return types
    .map((type) => (type === 'array' && schema.items ? `array of ${typeOf(schema.items)}` : type))
    .join(' | ');
}

const LIMITS = [
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'default',
] as const satisfies readonly (keyof Schema)[];

/** By their names in JSON Schema, which programs know. */
const limitsOf = (schema: Schema): readonly string[] =>
  LIMITS.flatMap((name) => (schema[name] === undefined ? [] : [`${name} ${JSON.stringify(schema[name])}`]));

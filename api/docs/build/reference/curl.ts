import { exampleOf, type OpenApi, type Operation, pathForKeys, resolved } from './openapi.ts';

/** Longer examples are shown formatted. */
const MAX_LINE = 60;

/** The call of an operation with curl, as in the guides: address and key are in the environment. */
export function curlOf(document: OpenApi, operation: Operation): string {
  const { method, security = [], parameters = [], requestBody } = operation;
  const needsKey = security.some((scheme) => Object.keys(scheme).length > 0);
  const isRepeatable = parameters.some((each) => resolved(document, each).name === 'Idempotency-Key');
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$QUOTING_URL${pathForKeys(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${constantOf(name)}`)}"`,
    ...(needsKey ? ['-H "Authorization: Bearer $QUOTING_API_KEY"'] : []),
    ...(isRepeatable ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(type === 'application/json' && content ? body(exampleOf(document, content)) : []),
    ...(type === 'multipart/form-data' && content ? fields(resolved(document, content.schema ?? {})) : []),
  ].join(' \\\n  ');
}

function body(example: unknown): readonly string[] {
  const short = JSON.stringify(example ?? {});
  const text = short.length > MAX_LINE ? JSON.stringify(example, null, 2).replaceAll('\n', '\n  ') : short;
  return ["-H 'Content-Type: application/json'", `-d '${text.replaceAll("'", String.raw`'\''`)}'`];
}

const fields = ({ properties = {}, required = [] }: { properties?: object; required?: readonly string[] }) =>
  Object.keys(properties)
    .filter((name) => required.includes(name))
    .map((name) => `-F '${name}=@${name}'`);

/** `attachmentId` → `ATTACHMENT_ID` */
const constantOf = (name: string): string => name.replaceAll(/([A-Z])/g, '_$1').toUpperCase();

/** What the two documents say differently. */
export interface Variant {
  /** Session cookies are accepted, beside API keys. */
  readonly hasSessions: boolean;
}

const ABOUT = `Quotes of a business: create them, share them as PDF by mail, and follow them to their answer. Summaries and \
descriptions of operations are in Spanish, the language of the API's messages.`;

const KEYS = `Send an API key with each request: \`Authorization: Bearer svc_…\`. \`createApiKey\` makes one and shows it once. A \
key has the permissions of the user who created it. Without a valid credential the response is 401; without the permission, 403.`;

const INTEGRATORS = `${KEYS} All paths begin with \`/api/v1\`.`;

const BROWSERS = `This document is for programs that run in a browser session: \`createSession\` sets a cookie, which is valid \
under \`/api\` only. Integrations use \`/api/v1/openapi.json\`: the same operations under \`/api/v1\`, for API keys only, without \
the operations of sessions and of the client portal.

${KEYS} If a request has both, the key counts.`;

const ERRORS = `An error has a status of 400 or more and the body \`Error\`. Branch on \`reason\`, the exact \
error; treat an unknown reason by its \`code\`, the kind of error. Neither changes its meaning. \`error\` is a sentence in \
Spanish for people. \`details\` names the invalid members. Log \`requestId\`, which is also the header \
\`X-Request-Id\`. With \`Accept: application/problem+json\` the members of RFC 9457 are included.

Retry 429, 503 and \`request_in_progress\` after the seconds in \`Retry-After\`.

Unknown members and parameters are ignored and named in \`X-Ignored-Members\`. With \`Prefer: handling=strict\` they are errors. \
\`__proto__\` and the character U+0000 are always errors.`;

const PAGINATION = `Lists take \`page\`, from 1, and \`limit\`. The response has \`data\`, \`total\`, \`page\` and \`totalPages\`; a \
page past the end is empty. Lists are newest first, except with \`sort\` (by its column) and with \`updatedSince\` (the oldest change \
first). Lists with \`nextCursor\` also take it as \`cursor\`: that way no record is \
skipped or repeated while others are created. Short lists, such as labels and webhooks, are arrays without pages.`;

const IDEMPOTENCY = `Send an \`Idempotency-Key\` with each POST that creates or sends. The same key and body within 24 hours have \
the same response, with \`Idempotency-Replayed: true\`, and no second effect. The key with another body is refused with 422; while \
the first request is running, with 409. Refusals are not stored, so the same key tries again. A key belongs to the caller and the \
route.`;

/** The introduction of the reference, in Markdown. */
export const introduction = ({ hasSessions }: Variant): string =>
  [
    ABOUT,
    '## Authentication',
    hasSessions ? BROWSERS : INTEGRATORS,
    '## Errors',
    ERRORS,
    '## Pagination',
    PAGINATION,
    '## Idempotency',
    IDEMPOTENCY,
  ].join('\n\n');

/**
 * What in a file's text could reach the network around the outbound guard. Vendors' clients (PostgreSQL, Temporal, S3,
 * SMTP) are not looked for: they go to our own parts, whose addresses no user gives.
 */

const MODULES =
  /^(node:)?(https?|http2|net|tls|dgram|undici|axios|got|node-fetch|superagent|needle|request|ky|ws)(\/.*)?$/;
/** What may be imported of those all the same: it opens no connection. */
const HARMLESS = new Set(['createServer', 'isIP', 'isIPv4', 'isIPv6', 'STATUS_CODES', 'METHODS', 'BlockList']);
/** Globals that call out, by any mention but that of another thing's member: `knex.fetch`, `{ fetch: … }`. */
const GLOBALS =
  /(?<![\w$.]|\.\.\.)(fetch|WebSocket|EventSource|XMLHttpRequest)(?![\w$])(?!\s*:)|\b(globalThis|global|window|self)\s*(\??\.\s*(fetch|WebSocket|EventSource|XMLHttpRequest)\b|\[)|\{[^{}]*\b(fetch|WebSocket|EventSource)\b[^{}]*\}\s*=\s*(globalThis|global)\b/g; // prettier-ignore
const PROGRAMS = /\b(spawn|spawnSync|exec|execSync|execFile|execFileSync)\s*\(\s*'(\S*\/)?(curl|wget|nc|ncat|telnet|ssh|socat)\b/g; // prettier-ignore

/** A specifier of a module, with what stands before it: `import … from`, `export … from`, `import(`, `require(`. */
const SPECIFIERS =
  /(?:\b(import|export)\b([^;'"()]*?)\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|getBuiltinModule\s*\(\s*)(['"])([^'"\n]+)\3/g;

/** Comments and strings; what is no specifier in them is no code. Templates stay, for they hold code. */
const COMMENTS = /(`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const STRINGS = /(`(?:\\.|[^`\\])*`)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;

export function waysOut(source: string): readonly string[] {
  const code = source.replace(COMMENTS, (_all, text: string | undefined) => text ?? ' ');
  const words = code.replace(STRINGS, (_all, template: string | undefined) => template ?? "''");
  return [
    ...[...code.matchAll(SPECIFIERS)].filter(reachesOut).map(([text]) => text),
    ...[...words.matchAll(GLOBALS)].map(([text]) => text),
    ...[...code.matchAll(PROGRAMS)].map(([text]) => text),
  ];
}

function reachesOut([, statement, clause = '', , specifier = '']: RegExpMatchArray): boolean {
  if (!MODULES.test(specifier)) return false;
  if (statement === undefined) return true;
  if (/^\s*type\s*[{*\w]/.test(clause)) return false;
  const [, named] = /^\s*\{([^}]*)\}\s*$/.exec(clause) ?? [];
  // A default or a namespace holds everything that the module has.
  if (statement === 'export' || named === undefined) return true;
  return named
    .split(',')
    .map((name) => name.trim())
    .some((name) => name !== '' && !name.startsWith('type ') && !HARMLESS.has(name.split(' ')[0] ?? ''));
}

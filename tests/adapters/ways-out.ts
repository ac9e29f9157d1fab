/**
 * Code in a file's text that could reach the network around the outbound guard. Vendors' clients (PostgreSQL, Temporal,
 * S3, SMTP) are not searched for: they connect to our own infrastructure, whose addresses no user gives.
 */

const MODULES =
  /^(node:)?(https?|http2|net|tls|dgram|undici|axios|got|node-fetch|superagent|needle|request|ky|ws)(\/.*)?$/;
/** Imports from these modules that are allowed because they open no connection. */
const HARMLESS = new Set(['createServer', 'isIP', 'isIPv4', 'isIPv6', 'STATUS_CODES', 'METHODS', 'BlockList']);
/** Globals that make calls, by any mention except as another object's member: `knex.fetch`, `{ fetch: … }`. */
const GLOBALS =
  /(?<![\w$.]|\.\.\.)(fetch|WebSocket|EventSource|XMLHttpRequest)(?![\w$])(?!\s*:)|\b(globalThis|global|window|self)\s*(\??\.\s*(fetch|WebSocket|EventSource|XMLHttpRequest)\b|\[)|\{[^{}]*\b(fetch|WebSocket|EventSource)\b[^{}]*\}\s*=\s*(globalThis|global)\b/g; // prettier-ignore
const PROGRAMS = /\b(spawn|spawnSync|exec|execSync|execFile|execFileSync)\s*\(\s*'(\S*\/)?(curl|wget|nc|ncat|telnet|ssh|socat)\b/g; // prettier-ignore

/** A module specifier with what precedes it: `import … from`, `export … from`, `import(`, `require(`. */
const SPECIFIERS =
  /(?:\b(import|export)\b([^;'"()]*?)\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|getBuiltinModule\s*\(\s*)(['"])([^'"\n]+)\3/g;

/** Comments and strings; only specifiers in them are code. Templates stay, because they contain code. */
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
  // A default or namespace import holds everything that the module has.
  if (statement === 'export' || named === undefined) return true;
  return named
    .split(',')
    .map((name) => name.trim())
    .some((name) => name !== '' && !name.startsWith('type ') && !HARMLESS.has(name.split(' ')[0] ?? ''));
}

/** Recorded JSON is compared with what the service says now: values that differ between runs are replaced by their kind. */

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d\b/g, '<day>'],
  [/\bc[a-z0-9]{24}\b/g, '<id>'],
  [/\bsvc_[0-9a-f]{40}\b/g, '<key>'],
  [/\bwhsec_[\w+/=]+/g, '<secret>'],
  [/\b[0-9a-f]{64}\b/g, '<hash>'],
  // May begin or end with a hyphen, where \b does not match.
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, '<token>'],
];

/** Members whose values differ between runs and have no form of their own. */
const VARYING = new Set(['requestId', 'durationMs', 'prefix', 'last4']);

export function stable(value: unknown, member = ''): unknown {
  if (typeof value === 'string' || typeof value === 'number') {
    if (VARYING.has(member)) return `<${member}>`;
    return typeof value === 'number' ? value : KINDS.reduce((text, [kind, name]) => text.replace(kind, name), value);
  }
  if (Array.isArray(value)) return value.map((element) => stable(element));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, stable(each, name)]));
}

/** A response as a guide shows it: from the address of `npm start`, with a readable address of the owner. */
export const asShown = (text: string): string => {
  const shown = text
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:3000')
    .replace(/\bc[a-z0-9]{24}@dueno\.test\b/g, 'diana@acme.test');
  return JSON.stringify(JSON.parse(shown), null, 2);
};

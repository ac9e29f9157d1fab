import { cleanDeclarations, cleanStyleSheet, ELEMENTS, keepsAttribute, keepsInClipPath } from './svg-rules.ts';

/**
 * Reads an SVG file token by token and writes it anew with only what `svg-rules.ts` keeps, so that what is checked and
 * what is drawn cannot differ. Refuses what it does not understand, every DOCTYPE and every entity but XML's own five.
 */

/** Bytes of an SVG: ten times a large logo. Drawing time grows with them. */
const MOST_BYTES = 256 * 1024;
const MOST_ELEMENTS = 5_000;
const DEEPEST = 48;

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

export class SvgRefused extends Error {
  override readonly name = 'SvgRefused';
}

const TAG = /<([a-zA-Z_][\w:.-]*)/y;
const CLOSING_TAG = /<\/([a-zA-Z_][\w:.-]*)\s*>/y;
const ATTRIBUTE = /\s+([a-zA-Z_][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /\s*(\/?)>/y;
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));|&/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The drawing in a form that is safe to rasterise. Throws SvgRefused. */
export function cleanSvg(bytes: Buffer): string {
  if (bytes.length > MOST_BYTES) throw new SvgRefused('too many bytes');
  const source = decoded(bytes);
  const output: string[] = [];
  /** Open elements; `kept` is false inside of one that was dropped. */
  const open: { name: string; kept: boolean }[] = [];
  let elements = 0;
  let at = 0;

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const skipTo = (end: string): string => {
    const from = at;
    const found = source.indexOf(end, from);
    if (found < 0) throw new SvgRefused(`no ${end}`);
    at = found + end.length;
    return source.slice(from, found);
  };
  const write = (text: string) => {
    const top = open.at(-1);
    if (top === undefined) {
      if (text.trim() !== '') throw new SvgRefused('text outside of the drawing');
      return;
    }
    if (top.kept) output.push(escaped(top.name === 'style' ? cleanStyleSheet(text) : text));
  };
  const openTag = (name: string) => {
    elements += 1;
    if (open.length === 0 && (name !== 'svg' || elements > 1)) throw new SvgRefused('the root is not one svg');
    if (elements > MOST_ELEMENTS || open.length >= DEEPEST) throw new SvgRefused('too many elements');
    const kept = (open.at(-1)?.kept ?? true) && ELEMENTS.has(name);
    const isInClipPath = name === 'clipPath' || open.some((element) => element.name === 'clipPath');
    const attributes: string[] = [];
    for (let found = match(ATTRIBUTE); found; found = match(ATTRIBUTE)) {
      const [, attribute = '', double, single] = found;
      const value = unescaped(double ?? single ?? '');
      if (kept && attribute === 'xmlns' && value !== SVG_NAMESPACE) throw new SvgRefused('another namespace');
      if (kept && keepsAttribute(name, attribute, value) && (!isInClipPath || keepsInClipPath(attribute))) {
        const clean = attribute === 'style' ? cleanDeclarations(value, { mayClip: !isInClipPath }) : value;
        attributes.push(` ${attribute}="${escaped(clean)}"`);
      }
    }
    const end = match(TAG_END);
    if (!end) throw new SvgRefused('not well-formed');
    const namespaces = open.length === 0 ? ` xmlns="${SVG_NAMESPACE}" xmlns:xlink="http://www.w3.org/1999/xlink"` : '';
    if (kept) output.push(`<${name}${namespaces}${attributes.join('')}>`);
    if (!end[1]) open.push({ name, kept });
    else if (kept) output.push(`</${name}>`);
  };
  const closeTag = (name: string) => {
    const top = open.pop();
    if (top?.name !== name) throw new SvgRefused('not well-formed');
    if (top.kept) output.push(`</${name}>`);
  };

  while (at < source.length) {
    if (source[at] !== '<') {
      const end = source.indexOf('<', at);
      const text = source.slice(at, end < 0 ? undefined : end);
      at += text.length;
      write(unescaped(text));
    } else if (source.startsWith('<!--', at)) {
      skipTo('-->');
    } else if (source.startsWith('<?', at)) {
      skipTo('?>');
    } else if (source.startsWith('<![CDATA[', at)) {
      write(skipTo(']]>').slice('<![CDATA['.length));
    } else {
      const closing = match(CLOSING_TAG);
      if (closing) closeTag(closing[1] ?? '');
      else {
        // What is left that begins with "<!" declares a document type, and those declare entities.
        const tag = match(TAG);
        if (!tag) throw new SvgRefused('a declaration, or not well-formed');
        openTag(tag[1] ?? '');
      }
    }
  }
  if (elements === 0 || open.length > 0) throw new SvgRefused('no whole drawing');
  return output.join('');
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SvgRefused('not UTF-8', { cause });
  }
}

const unescaped = (text: string): string =>
  text.replace(ENTITY, (entity, named?: string, decimal?: string, hex?: string) => {
    if (named !== undefined) return NAMED[named] ?? '';
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (entity === '&' || Number.isNaN(code) || code > 0x10ffff) throw new SvgRefused('an entity');
    return String.fromCodePoint(code);
  });

// Control characters are no XML, however they were written.
const escaped = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

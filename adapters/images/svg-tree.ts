import { refuse } from './svg-refused.ts';

/** Parses an SVG file into a tree. Knows only XML; what may be drawn is decided elsewhere. */

/**
 * The file is no SVG: not well-formed, of another namespace, in an unknown encoding, or with entity declarations.
 */
export class NotAnSvg extends Error {
  override readonly name = 'NotAnSvg';
}

export interface SvgElement {
  /** Without its prefix. */
  readonly name: string;
  /** By name without prefix; attributes of namespaces other than SVG's, XLink's and XML's are dropped. */
  readonly attributes: Map<string, string>;
  readonly children: (SvgElement | string)[];
  readonly parent: SvgElement | undefined;
}

/** Limits before any check of the content: a larger file is no logo. */
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 48;

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
/** Prefixes that are accepted without a declaration, as browsers' HTML parsers do. */
const PREFIXES: Readonly<Record<string, string>> = { xml: XML, xlink: XLINK };

const NAME = '[\\p{L}_][\\p{L}\\p{N}_:.-]*';
const TAG = new RegExp(`<(${NAME})`, 'uy');
const CLOSING_TAG = new RegExp(`</(${NAME})\\s*>`, 'uy');
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'uy');
const TAG_END = /\s*(\/?)>/y;
/** With public and system identifiers, as drawing programs write it; nothing is ever loaded from them. */
const DOCTYPE =
  /<!DOCTYPE\s+(?:svg:)?svg(?:\s+(?:PUBLIC\s+(?:"[^"]*"|'[^']*')|SYSTEM)(?:\s+(?:"[^"]*"|'[^']*'))?)?\s*>/iy;
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));|&/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export interface SvgFile {
  readonly root: SvgElement;
  /** The external style sheets that it names. */
  readonly linksToStyleSheet: boolean;
}

/** Parses the whole file, in time linear in its length. Throws NotAnSvg, or SvgRefused for one that is too large. */
export function readSvg(bytes: Buffer): SvgFile {
  const source = decoded(bytes);
  const open: { readonly tag: string; readonly element: SvgElement | undefined; readonly scope: Scope }[] = [];
  let root: SvgElement | undefined;
  let linksToStyleSheet = false;
  let hasDoctype = false;
  let elements = 0;
  let at = 0;

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const skipTo = (end: string): string => {
    const found = source.indexOf(end, at);
    if (found < 0) throw new NotAnSvg(`no ${end}`);
    const text = source.slice(at, found);
    at = found + end.length;
    return text;
  };
  const addText = (text: string) => {
    const top = open.at(-1);
    if (top) top.element?.children.push(text);
    else if (text.trim() !== '') throw new NotAnSvg('text outside the root element');
  };
  const openTag = (tag: string) => {
    elements += 1;
    if (elements > MAX_ELEMENTS || open.length >= MAX_DEPTH) throw refuse.tooLarge(MAX_ELEMENTS, MAX_DEPTH);
    const written: [name: string, value: string][] = [];
    for (let found = match(ATTRIBUTE); found; found = match(ATTRIBUTE)) {
      written.push([found[1] ?? '', unescaped(found[2] ?? found[3] ?? '')]);
    }
    const end = match(TAG_END);
    if (!end) throw new NotAnSvg('not well-formed');
    const parent = open.at(-1);
    const scope = scopeOf(written, parent?.scope);
    const { namespace, name } = resolved(tag, scope);
    const isSvg = namespace === SVG || (namespace === '' && !scope.has(''));
    if (!parent && (root || name !== 'svg' || !isSvg)) throw new NotAnSvg('the root is not a single svg element');
    // Metadata of the authoring program, never drawn.
    const isKept = isSvg && (!parent || parent.element !== undefined);
    const element = isKept
      ? { name, attributes: attributesOf(written, scope), children: [], parent: parent?.element }
      : undefined;
    if (element && parent) parent.element?.children.push(element);
    if (!parent) root = element;
    if (!end[1]) open.push({ tag, element, scope });
  };

  while (at < source.length) {
    if (source[at] !== '<') {
      const end = source.indexOf('<', at);
      const text = source.slice(at, end < 0 ? undefined : end);
      at += text.length;
      addText(unescaped(text));
    } else if (source.startsWith('<!--', at)) {
      skipTo('-->');
    } else if (source.startsWith('<?', at)) {
      if (/^<\?xml-stylesheet\s[^]*href\s*=\s*["'](?!#)/.test(skipTo('?>'))) linksToStyleSheet = true;
    } else if (source.startsWith('<![CDATA[', at)) {
      addText(skipTo(']]>').slice('<![CDATA['.length));
    } else if (source.startsWith('</', at)) {
      if (open.pop()?.tag !== match(CLOSING_TAG)?.[1]) throw new NotAnSvg('not well-formed');
    } else if (!hasDoctype && !root && match(DOCTYPE)) {
      hasDoctype = true;
    } else {
      // Any other "<!" declares entities, which can expand exponentially or read files.
      const tag = match(TAG);
      if (!tag) throw new NotAnSvg(source.startsWith('<!', at) ? 'entity declarations' : 'not well-formed');
      openTag(tag[1] ?? '');
    }
  }
  if (!root || open.length > 0) throw new NotAnSvg('incomplete document');
  return { root, linksToStyleSheet };
}

/** The namespace of each prefix; '' is the default namespace. */
type Scope = ReadonlyMap<string, string>;

function scopeOf(attributes: readonly [string, string][], outer: Scope | undefined): Scope {
  const declared = attributes.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (declared.length === 0 && outer) return outer;
  return new Map([
    ...(outer ?? Object.entries(PREFIXES)),
    ...declared.map(([name, value]): [string, string] => [name.slice('xmlns:'.length), value]),
  ]);
}

function resolved(tag: string, scope: Scope): { namespace: string | undefined; name: string } {
  const colon = tag.indexOf(':');
  return { namespace: colon < 0 ? (scope.get('') ?? '') : scope.get(tag.slice(0, colon)), name: tag.slice(colon + 1) };
}

function attributesOf(written: readonly [string, string][], scope: Scope): Map<string, string> {
  const attributes = new Map<string, string>();
  const names = new Set<string>();
  for (const [tag, value] of written) {
    if (names.has(tag)) throw new NotAnSvg('duplicate attribute');
    names.add(tag);
    const colon = tag.indexOf(':');
    if (tag === 'xmlns') continue;
    const namespace = colon < 0 ? SVG : scope.get(tag.slice(0, colon));
    const name = tag.slice(colon + 1);
    if (namespace === SVG) attributes.set(name, value);
    else if (namespace === XML && name === 'space') attributes.set('xml:space', value);
    // The newer name wins when both are present.
    else if (namespace === XLINK && name === 'href' && !attributes.has('href')) attributes.set('href', value);
  }
  return attributes;
}

/** From the byte order mark, else the declaration, else UTF-8. */
function decoded(bytes: Buffer): string {
  const [first = 0, second = 0] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || !first || !second;
  const isBigEndian = first === 0xfe || first === 0;
  const said = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(bytes.toString('latin1', 0, 300))?.[1];
  // A file that parses as single bytes is not in a two-byte encoding, whatever it declares.
  const label = isUtf16
    ? isBigEndian
      ? 'utf-16be'
      : 'utf-16le'
    : said && !/^utf-?16|^ucs/i.test(said)
      ? said
      : 'utf-8';
  const mark = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));
  try {
    return new TextDecoder(mark ? 'utf-8' : label, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new NotAnSvg('not in its declared encoding', { cause });
  }
}

const unescaped = (text: string): string =>
  text.replace(ENTITY, (entity, named?: string, decimal?: string, hex?: string) => {
    if (named !== undefined) return NAMED[named] ?? '';
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (entity === '&' || Number.isNaN(code) || code > 0x10ffff) throw new NotAnSvg('an entity');
    return String.fromCodePoint(code);
  });

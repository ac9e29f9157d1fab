import { refuse } from './svg-refused.ts';
import type { SvgElement } from './svg-tree.ts';

/**
 * Resolves style sheets before rendering, so that the renderer reads none: what is checked is what is drawn, and what
 * the renderer would ignore silently is refused by name.
 */

export type Declarations = readonly (readonly [property: string, value: string])[];

interface Rule {
  readonly selector: Selector;
  readonly declarations: Declarations;
}

/** Compounds from the outermost to the element itself, each with its combinator. */
interface Selector {
  readonly parts: readonly { readonly compound: Compound; readonly isChild: boolean }[];
  readonly weight: number;
}

interface Compound {
  readonly type: string | undefined;
  readonly id: string | undefined;
  readonly classes: readonly string[];
}

const MAX_RULES = 5_000;
const COMMENT = /\/\*[^]*?(?:\*\/|$)|<!--|-->/g;
/** States that a still picture never has. */
const NEVER = /:(?:hover|active|focus(?:-within|-visible)?|visited|target|link)\b|::?(?:selection|before|after)\b/i;
/** Rules about fonts, which are checked where text is drawn, and rules for other media. */
const WITHOUT_EFFECT =
  /^@(?:font-face|charset|namespace|keyframes|-\w+-keyframes)\b|^@media\s+(?:print|not\b|\([^)]*prefers-|speech)/i;

/** The rules of a style sheet. Throws SvgRefused for unsupported ones. */
function rulesOf(css: string): readonly Rule[] {
  return blocksOf(css.replace(COMMENT, '')).flatMap(({ prelude, body }) => {
    if (prelude.startsWith('@')) {
      if (/^@media\s+(?:all|screen)\s*$/i.test(prelude) && body !== undefined) return rulesOf(body);
      if (/^@import\b/i.test(prelude)) throw refuse.external(prelude);
      if (WITHOUT_EFFECT.test(prelude)) return [];
      throw refuse.selector(prelude);
    }
    if (body === undefined) return [];
    const declarations = declarationsOf(body);
    return prelude
      .split(',')
      .map((selector) => selector.trim())
      .filter((selector) => !NEVER.test(selector))
      .map((selector) => ({ selector: selectorOf(selector), declarations }));
  });
}

/** Splits at the outermost braces, and at semicolons outside of them; skips quoted text and url(…). */
function blocksOf(css: string): { prelude: string; body: string | undefined }[] {
  const blocks: { prelude: string; body: string | undefined }[] = [];
  let from = 0;
  let bodyFrom = 0;
  let depth = 0;
  for (const { 0: sign, index } of css.matchAll(/"[^"]*"?|'[^']*'?|\([^()]*\)?|[{};]/g)) {
    if (sign === '{') {
      if (depth === 0) bodyFrom = index + 1;
      depth += 1;
    } else if (sign === '}' && depth > 0) {
      depth -= 1;
      if (depth > 0) continue;
      blocks.push({ prelude: css.slice(from, bodyFrom - 1).trim(), body: css.slice(bodyFrom, index) });
      from = index + 1;
    } else if (sign === ';' && depth === 0) {
      blocks.push({ prelude: css.slice(from, index).trim(), body: undefined });
      from = index + 1;
    }
  }
  return blocks;
}

/** The declarations of a block or a `style` attribute, as written. */
export const declarationsOf = (css: string): Declarations =>
  (css.replace(COMMENT, '').match(/(?:"[^"]*"?|'[^']*'?|\([^()]*\)?|[^;])+/g) ?? []).flatMap((declaration) => {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(colon, 0)).trim();
    return property === '' ? [] : [[property.toLowerCase(), declaration.slice(colon + 1).trim()] as const];
  });

const COMPOUND = /^(?:\*|([a-z][\w-]*))?((?:[.#][\w-]+)*)$/i;

function selectorOf(text: string): Selector {
  const parts: { compound: Compound; isChild: boolean }[] = [];
  let isChild = false;
  for (const word of text.replaceAll('>', ' > ').split(/\s+/).filter(Boolean)) {
    if (word === '>') {
      isChild = true;
      continue;
    }
    const [, type, rest = ''] = COMPOUND.exec(word) ?? [];
    if (!COMPOUND.test(word)) throw refuse.selector(text);
    const names = rest.match(/[.#][\w-]+/g) ?? [];
    const named = (sign: string) => names.filter((name) => name.startsWith(sign)).map((name) => name.slice(1));
    parts.push({ compound: { type, id: named('#')[0], classes: named('.') }, isChild });
    isChild = false;
  }
  if (parts.length === 0) throw refuse.selector(text);
  const weight = parts.reduce(
    (sum, { compound: { id, classes, type } }) => sum + (id ? 10_000 : 0) + classes.length * 100 + (type ? 1 : 0),
    0,
  );
  return { parts, weight };
}

const classesOf = (element: SvgElement): readonly string[] => element.attributes.get('class')?.split(/\s+/) ?? [];

const fits = ({ type, id, classes }: Compound, element: SvgElement): boolean =>
  (type === undefined || type === element.name) &&
  (id === undefined || id === element.attributes.get('id')) &&
  classes.every((name) => classesOf(element).includes(name));

function matches({ parts }: Selector, element: SvgElement, last = parts.length - 1): boolean {
  const part = parts[last];
  if (!part || !fits(part.compound, element)) return false;
  if (last === 0) return true;
  for (let above = element.parent; above; above = above.parent) {
    if (matches({ parts, weight: 0 }, above, last - 1)) return true;
    if (part.isChild) return false;
  }
  return false;
}

/** The declarations that style sheets and `style` attributes give an element; later ones win. */
export type StyleOf = (element: SvgElement) => Declarations;

/** Throws SvgRefused for style sheets with unsupported rules. */
export function readStyles(sheets: readonly string[]): StyleOf {
  const rules = rulesOf(sheets.join('\n'));
  if (rules.length > MAX_RULES) throw refuse.tooMany(MAX_RULES);
  // Almost every rule of a drawing program is for one class, so only the rules for an element's own classes are tried.
  const byClass = new Map<string, { rule: Rule; order: number }[]>();
  for (const [order, rule] of rules.entries()) {
    const name = rule.selector.parts.at(-1)?.compound.classes[0] ?? '';
    byClass.set(name, [...(byClass.get(name) ?? []), { rule, order }]);
  }
  return (element) => {
    const found = ['', ...classesOf(element)]
      .flatMap((name) => byClass.get(name) ?? [])
      .filter(({ rule }) => matches(rule.selector, element))
      .sort((a, b) => a.rule.selector.weight - b.rule.selector.weight || a.order - b.order);
    const own = declarationsOf(element.attributes.get('style') ?? '');
    const all = [...found.flatMap(({ rule }) => rule.declarations), ...own];
    return [...all.filter((declaration) => !isImportant(declaration)), ...all.filter(isImportant)].map(
      ([property, value]) => [property, value.replace(IMPORTANT, '')] as const,
    );
  };
}

const IMPORTANT = /\s*!\s*important\s*$/i;
const isImportant = ([, value]: Declarations[number]): boolean => IMPORTANT.test(value);

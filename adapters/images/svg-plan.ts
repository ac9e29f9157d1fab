import { type Declarations, readStyles } from './svg-css.ts';
import { refuse } from './svg-refused.ts';
import {
  DEFINITIONS,
  EFFECTS,
  GRADIENTS,
  GROUPS,
  PARTS,
  propertiesOf,
  referenceOf,
  SHAPES,
  UNSEEN,
} from './svg-rules.ts';
import type { SvgElement, SvgFile } from './svg-tree.ts';

/**
 * Determines what of a file is drawn, and how often. References are followed and counted before anything is drawn: a
 * few nested ones would cost minutes.
 */

/** Drawn elements, each as often as references repeat it. */
export const MAX_DRAWN = 10_000;
/** Visited elements, groups too. */
const MAX_VISITED = 50_000;
/** References that lead to references. */
export const MAX_REFERENCE_DEPTH = 16;
/** An effect covers the whole picture, so it counts as this many small elements. */
const EFFECT_COST = 50;

interface Cost {
  readonly drawn: number;
  readonly visited: number;
  /** Nesting of references. */
  readonly depth: number;
}
const NOTHING: Cost = { drawn: 0, visited: 0, depth: 0 };

/** The parts of a file that are drawn. */
export interface SvgPlan {
  /** Visible elements, with their properties. */
  readonly seen: ReadonlyMap<SvgElement, ReadonlyMap<string, string>>;
  /** The targets of elements that refer to another or to an image. */
  readonly links: ReadonlyMap<SvgElement, string>;
  /** Font families of texts, as written. */
  readonly fonts: ReadonlySet<string>;
  /** The first element of each id. */
  readonly named: ReadonlySet<SvgElement>;
  /** The background colour, if styles of the root set one. */
  readonly background: string | undefined;
}

/** Follows all visible elements, from the root. Throws SvgRefused for what cannot be drawn faithfully. */
export function planSvg({ root, linksToStyleSheet }: SvgFile): SvgPlan {
  if (linksToStyleSheet) throw refuse.external('xml-stylesheet');
  const ids = new Map<string, SvgElement>();
  const sheets: string[] = [];
  for (const element of elementsIn(root)) {
    const id = element.attributes.get('id');
    if (id && !ids.has(id)) ids.set(id, element);
    if (element.name === 'style') sheets.push(element.children.filter(isText).join(''));
  }
  const styleOf = readStyles(sheets);
  const seen = new Map<SvgElement, Map<string, string>>();
  const links = new Map<SvgElement, string>();
  const fonts = new Set<string>();
  const costs = new Map<SvgElement, Cost>();
  const inProgress = new Set<SvgElement>();

  /** The element's properties; cached, because it may be drawn many times. */
  const look = (element: SvgElement): Map<string, string> => {
    const known = seen.get(element);
    if (known) return known;
    const properties = propertiesOf(element.attributes, styleOf(element));
    seen.set(element, properties);
    return properties;
  };

  const target = (id: string, isRight: (element: SvgElement) => boolean): SvgElement => {
    const found = ids.get(id);
    if (!found || !isRight(found)) throw refuse.missing(id);
    return found;
  };

  /** Adds the cost of drawing the element itself, where it stands or where it is referred to. */
  const cost = (element: SvgElement): Cost => {
    const known = costs.get(element);
    if (known) return known;
    if (inProgress.has(element)) throw refuse.circular(element.attributes.get('id') ?? element.name);
    inProgress.add(element);
    const counted = bounded(count(element));
    inProgress.delete(element);
    costs.set(element, counted);
    return counted;
  };

  const count = (element: SvgElement): Cost => {
    const properties = look(element);
    if (properties.get('display') === 'none') return NOTHING;
    if (element.name === 'filter') return effectsOf(element);
    if (GRADIENTS.has(element.name))
      return plus(
        stopsOf(element),
        linked(element, (to) => GRADIENTS.has(to.name)),
      );
    const inside = contentOf(element);
    const own: Cost = { drawn: SHAPES.has(element.name) ? 1 : 0, visited: 1, depth: 0 };
    const times = Math.max(1, inside.drawn + own.drawn);
    const once = ['clip-path', 'mask', 'filter'].map((name) => referred(properties, name));
    // Inherited by its descendants, each of which draws them.
    const each = ['fill', 'stroke'].map((name) => repeated(referred(properties, name), times));
    const markers = ['marker-start', 'marker-mid', 'marker-end'].map((name) =>
      repeated(referred(properties, name), times * cornersOf(element)),
    );
    return [inside, ...once, ...each, ...markers].reduce(plus, own);
  };

  const contentOf = (element: SvgElement): Cost => {
    switch (element.name) {
      case 'use':
        return linked(element, (to) => GROUPS.has(to.name) || SHAPES.has(to.name));
      case 'image':
        links.set(element, element.attributes.get('href') ?? '');
        return NOTHING;
      case 'pattern':
        return plus(
          childrenOf(element),
          linked(element, (to) => to.name === 'pattern'),
        );
      case 'switch':
        return childrenOf(
          element,
          [chosen(element)].filter((child) => child !== undefined),
        );
      case 'text':
        noteFonts(element);
        return childrenOf(element);
      case 'textPath':
        return plus(
          childrenOf(element),
          linked(element, (to) => SHAPES.has(to.name)),
        );
      default:
        return childrenOf(element);
    }
  };

  const childrenOf = (element: SvgElement, children = element.children.filter(isElement)): Cost => {
    let sum = NOTHING;
    for (const child of children) {
      if (UNSEEN.has(child.name) || DEFINITIONS.has(child.name)) continue;
      if (!SHAPES.has(child.name) && !GROUPS.has(child.name)) throw refuse.element(child.name);
      sum = bounded(plus(sum, cost(child)));
    }
    return sum;
  };

  const linked = (element: SvgElement, isRight: (to: SvgElement) => boolean): Cost => {
    const href = element.attributes.get('href');
    if (href === undefined || href === '') {
      if (element.name === 'use' || element.name === 'textPath') throw refuse.missing('');
      return NOTHING;
    }
    if (!href.startsWith('#')) throw refuse.external(href);
    links.set(element, href);
    return deeper(cost(target(href.slice(1), isRight)));
  };

  const KINDS: Readonly<Record<string, (element: SvgElement) => boolean>> = {
    'clip-path': ({ name }) => name === 'clipPath',
    mask: ({ name }) => name === 'mask',
    filter: ({ name }) => name === 'filter',
    fill: ({ name }) => GRADIENTS.has(name) || name === 'pattern',
    stroke: ({ name }) => GRADIENTS.has(name) || name === 'pattern',
  };
  const isMarker = ({ name }: SvgElement) => name === 'marker';

  const referred = (properties: Map<string, string>, name: string): Cost => {
    const value = properties.get(name);
    const id = referenceOf(value);
    if (value === undefined || id === undefined) return NOTHING;
    const isRight = KINDS[name] ?? isMarker;
    const found = ids.get(id);
    const fallback = value.replace(/url\(#[^)]+\)/, '').trim();
    // A paint may name a fallback for a missing definition.
    if (fallback !== '' && !(found && isRight(found))) {
      properties.set(name, fallback);
      return NOTHING;
    }
    return deeper(cost(target(id, isRight)));
  };

  const stopsOf = (gradient: SvgElement): Cost => {
    for (const child of gradient.children.filter(isElement)) {
      if (child.name === 'stop') look(child);
      else if (!UNSEEN.has(child.name)) throw refuse.element(child.name);
      for (const inner of child.children.filter(isElement))
        if (!UNSEEN.has(inner.name)) throw refuse.element(inner.name);
    }
    return { drawn: 0, visited: 1, depth: 0 };
  };

  const effectsOf = (filter: SvgElement): Cost => {
    const effects = filter.children.filter(isElement).filter(({ name }) => !UNSEEN.has(name));
    const results = new Set(effects.map(({ attributes }) => attributes.get('result')));
    for (const effect of effects) {
      if (!EFFECTS.has(effect.name)) throw refuse.element(effect.name);
      for (const part of [effect, ...effect.children.filter(isElement)]) {
        if (part !== effect && !PARTS.has(part.name)) throw refuse.element(part.name);
        look(part);
        for (const name of ['in', 'in2']) {
          const input = part.attributes.get(name) ?? '';
          if (OUTSIDE_INPUT.test(input) && !results.has(input)) throw refuse.property(name, input);
        }
      }
    }
    return { drawn: effects.length * EFFECT_COST, visited: effects.length, depth: 0 };
  };

  const noteFonts = (text: SvgElement): void => {
    for (const element of elementsIn(text)) {
      const family = propertiesOf(element.attributes, styleOf(element)).get('font-family');
      if (family) fonts.add(family);
    }
    for (let above = text.parent; above; above = above.parent) {
      const family = look(above).get('font-family');
      if (family) fonts.add(family);
    }
  };

  const total = cost(root);
  if (total.depth > MAX_REFERENCE_DEPTH) throw refuse.tooDeep(MAX_REFERENCE_DEPTH);
  return { seen, links, fonts, named: new Set(ids.values()), background: backgroundOf(styleOf(root)) };
}

const NO_COLOUR = /^(?:none|transparent|initial|inherit|unset|0 0)?$/i;
const PLAIN_COLOUR = /^(?:#[\da-f]{3,8}|[a-z]+|(?:rgb|hsl)a?\([\d\s.,%/-]+\))$/i;

function backgroundOf(styles: Declarations): string | undefined {
  let background: string | undefined;
  for (const [name, value] of styles) {
    if (name !== 'background' && name !== 'background-color') continue;
    if (!NO_COLOUR.test(value) && !PLAIN_COLOUR.test(value)) throw refuse.property(name, value);
    background = NO_COLOUR.test(value) ? undefined : value;
  }
  return background;
}

const OUTSIDE_INPUT = /^(?:BackgroundImage|BackgroundAlpha|FillPaint|StrokePaint)$/;

const isElement = (child: SvgElement | string): child is SvgElement => typeof child !== 'string';
const isText = (child: SvgElement | string): child is string => typeof child === 'string';

/** The element and its descendants, in document order. */
export function* elementsIn(element: SvgElement): Generator<SvgElement> {
  yield element;
  for (const child of element.children) if (isElement(child)) yield* elementsIn(child);
}

/** The one child of a `switch` that is drawn: the first without conditions, or with a language that we support. */
function chosen({ children }: SvgElement): SvgElement | undefined {
  return children.filter(isElement).find(({ name, attributes }) => {
    const language = attributes.get('systemLanguage');
    const isOurs = language === undefined || /(?:^|,)\s*es\b/i.test(language);
    return isOurs && !attributes.has('requiredExtensions') && !UNSEEN.has(name);
  });
}

/** The most places of markers: a path has no more corners than numbers. */
function cornersOf({ name, attributes }: SvgElement): number {
  const shape = attributes.get('d') ?? attributes.get('points');
  if (shape !== undefined) return shape.match(/\d+/g)?.length ?? 1;
  return name === 'line' ? 2 : 1;
}

const plus = (a: Cost, b: Cost): Cost => ({
  drawn: a.drawn + b.drawn,
  visited: a.visited + b.visited,
  depth: Math.max(a.depth, b.depth),
});

const deeper = ({ drawn, visited, depth }: Cost): Cost => ({ drawn, visited, depth: depth + 1 });

const repeated = ({ drawn, visited, depth }: Cost, times: number): Cost => ({
  drawn: drawn * times,
  visited: visited * times,
  depth,
});

function bounded(cost: Cost): Cost {
  if (cost.depth > MAX_REFERENCE_DEPTH) throw refuse.tooDeep(MAX_REFERENCE_DEPTH);
  if (cost.drawn > MAX_DRAWN || cost.visited > MAX_VISITED) throw refuse.tooMany(MAX_DRAWN);
  return cost;
}

import type { Declarations } from './svg-css.ts';
import { refuse } from './svg-refused.ts';

/** What of an SVG can be drawn. Anything else is refused where it would be visible, and ignored where it would not. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Each is one drawn element. */
export const SHAPES = words('path rect circle ellipse line polyline polygon text tspan textPath image');
export const GROUPS = words('svg g a switch use symbol');
/** Drawn only where they are referred to. */
export const DEFINITIONS = words('defs symbol clipPath mask pattern marker linearGradient radialGradient filter style');
export const GRADIENTS = words('linearGradient radialGradient');
/** Invisible in any picture. */
export const UNSEEN = words(`title desc metadata script style view cursor font font-face missing-glyph glyph hkern vkern
  color-profile stop defs`);
/** Effects whose cost does not grow with their parameters. No noise, light, morphology, convolution or displacement. */
export const EFFECTS = words(`feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feGaussianBlur
  feMerge feOffset`);
/** Parts of the effects above. */
export const PARTS = words('feMergeNode feFuncR feFuncG feFuncB feFuncA stop');

/** Properties that the renderer reads. */
const DRAWN = words(`fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color display visibility overflow clip-path clip-rule mask
  mask-type marker marker-start marker-mid marker-end font-family font-size font-size-adjust font-stretch font-style
  font-variant font-weight letter-spacing word-spacing text-anchor text-decoration text-rendering dominant-baseline
  alignment-baseline baseline-shift writing-mode stop-color stop-opacity flood-color flood-opacity color-interpolation
  color-interpolation-filters shape-rendering image-rendering paint-order mix-blend-mode isolation filter transform`);
/** Properties that the renderer does not support, harmless only with one of these values. */
const UNKNOWN: Readonly<Record<string, RegExp>> = {
  'backdrop-filter': /^none$/,
  'vector-effect': /^none$/,
  'mask-image': /^none$/,
  '-webkit-mask': /^none$/,
  '-webkit-mask-image': /^none$/,
  animation: /^none\b/,
  'animation-name': /^none$/,
  'offset-path': /^none$/,
  'transform-origin': /^(?:0(?:px|%)?\s*){1,3}$/,
  rotate: /^none$/,
  scale: /^none$/,
  translate: /^none$/,
  zoom: /^(?:1|100%|normal)$/,
  font: /^(?:inherit|initial)$/,
  d: /^none$/,
  x: /^auto$/,
  y: /^auto$/,
  cx: /^auto$/,
  cy: /^auto$/,
  r: /^auto$/,
  rx: /^auto$/,
  ry: /^auto$/,
};
const UNKNOWN_COLOUR = /\b(?:color|lab|lch|oklab|oklch|hwb|color-mix|light-dark)\(|\bdevice-cmyk\(/i;
/** Paint of the marked shape, which the renderer does not support. */
const CONTEXT = /\bcontext-(?:fill|stroke)\b/i;
const COMPUTED = /\b(?:var|env|calc|attr|min|max|clamp)\(/i;
const URL = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*?))\s*\)/gi;
/** Properties that may refer to a definition. */
const REFERRING = words('fill stroke clip-path mask filter marker marker-start marker-mid marker-end');

/**
 * A property as drawn, with references in one form; undefined when it has no effect. `isRepeated`: an older form of it
 * precedes, for programs that do not know this one. Throws SvgRefused.
 */
export function drawnProperty(name: string, value: string, isRepeated = false): string | undefined {
  if (UNKNOWN[name]?.test(value) === false) throw refuse.property(name, value);
  if (!DRAWN.has(name)) return undefined;
  if (UNKNOWN_COLOUR.test(value)) {
    if (isRepeated) return undefined;
    throw refuse.property(name, value);
  }
  if (COMPUTED.test(value) || CONTEXT.test(value)) throw refuse.property(name, value);
  if (name === 'transform') return transformOf(value);
  const local = value.replace(URL, (_, double?: string, single?: string, bare?: string) => {
    const target = (double ?? single ?? bare ?? '').trim();
    if (!/^#[^\s"'()\\]+$/.test(target)) throw refuse.external(target);
    if (!REFERRING.has(name)) throw refuse.property(name, value);
    return `url(${target})`;
  });
  if (/url\s*\(/i.test(local.replaceAll(/url\(#[^\s"'()\\]+\)/g, ''))) throw refuse.external(value);
  const isBare = name === 'clip-path' || name === 'mask' || name === 'filter';
  if (isBare && !/^(?:none|inherit|initial|unset|url\(#[^)]+\))$/i.test(local)) throw refuse.property(name, value);
  return local;
}

/** CSS requires units where the attribute has none. */
function transformOf(value: string): string {
  const plain = value.replaceAll(/(?<=\d)(?:px|deg)\b/gi, '');
  const isPlane = /^(?:none|(?:\s*,?\s*(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\s\d.,eE+-]*\))*\s*)$/i.test(
    plain,
  );
  if (!isPlane) throw refuse.property('transform', value);
  return plain === 'none' ? '' : plain;
}

/** All properties of an element: from its attributes, then from its styles; the last of each name wins. */
export function propertiesOf(attributes: ReadonlyMap<string, string>, styles: Declarations): Map<string, string> {
  const properties = new Map<string, string>();
  const set = (name: string, written: string) => {
    const value = drawnProperty(name, written.trim(), properties.has(name));
    if (value === undefined) return;
    const names = name === 'marker' ? ['marker-start', 'marker-mid', 'marker-end'] : [name];
    for (const each of names) properties.set(each, value);
  };
  for (const [name, value] of attributes) if (DRAWN.has(name) || name === 'vector-effect') set(name, value);
  for (const [name, value] of styles) set(name, value);
  return properties;
}

/** Attributes that are not presentation attributes. */
const GEOMETRY =
  words(`id x y width height cx cy r rx ry x1 y1 x2 y2 fx fy fr d points viewBox preserveAspectRatio dx dy
  rotate textLength lengthAdjust startOffset method spacing side offset gradientUnits gradientTransform spreadMethod
  clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits patternTransform refX refY markerWidth
  markerHeight markerUnits orient filterUnits primitiveUnits in in2 result type values tableValues slope intercept
  amplitude exponent mode operator k1 k2 k3 k4 stdDeviation edgeMode version xml:space`);

export const isGeometry = (name: string): boolean => GEOMETRY.has(name);

/** The ids of the definitions that a property refers to, as in «#id» without the sign. */
export const referenceOf = (value: string | undefined): string | undefined => /url\(#([^)]+)\)/.exec(value ?? '')?.[1];

/** What of an SVG drawing is kept. What is not named is dropped: scripts, links, images, effects, other namespaces. */

/**
 * Shapes, text and paint. No `use`, `pattern`, `mask`, `marker`, `filter`: a few of them, nested, cost minutes of work.
 */
export const ELEMENTS: ReadonlySet<string> = new Set([
  'svg', 'g', 'defs', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan',
  'linearGradient', 'radialGradient', 'stop', 'clipPath', 'style',
]); // prettier-ignore

const GRADIENTS: ReadonlySet<string> = new Set(['linearGradient', 'radialGradient']);
const LOCAL_REFERENCE = /^#[\w.-]+$/;
const ATTRIBUTE_NAME = /^[a-zA-Z][\w-]*$/;
/** Properties that name an effect, as attributes and in CSS. */
const EFFECT = /^(?:filter|backdrop-filter|mask|marker|enable-background|mix-blend-mode)(?:-|$)/;
const COMMENT = /\/\*[^]*?(?:\*\/|$)/g;
/** Classes alone, such as `.a,.b`. */
const CLASSES = /^\.[\w-]+(?:\s*,\s*\.[\w-]+)*$/;
const ANY_URL = /url\s*\(/i;
const LOCAL_URL = /url\(\s*(["']?)#[\w.-]+\1\s*\)/gi;

/**
 * Whether the attribute stays in a clip path, or on it. A clip path that is clipped itself, and so on, costs twice as much
 * with each level, so neither it nor its shapes may name another, nor have a class that would.
 */
export const keepsInClipPath = (name: string): boolean => name !== 'clip-path' && name !== 'class';

/** Whether the attribute stays: nothing that runs, loads, or points anywhere but into the drawing. */
export function keepsAttribute(element: string, name: string, value: string): boolean {
  if (name === 'href' || name === 'xlink:href') return GRADIENTS.has(element) && LOCAL_REFERENCE.test(value);
  // `style` is cleaned declaration by declaration.
  if (name === 'xml:space' || name === 'style') return true;
  if (!ATTRIBUTE_NAME.test(name) || /^(?:on|xmlns)/i.test(name) || EFFECT.test(name)) return false;
  return isLocal(value);
}

const isLocal = (value: string): boolean => !ANY_URL.test(value.replace(LOCAL_URL, ''));

/** The declarations of a `style` attribute or a CSS rule that stay. */
export const cleanDeclarations = (css: string, { mayClip = true }: { mayClip?: boolean } = {}): string =>
  css
    .split(';')
    .map((declaration) => declaration.trim())
    .filter((declaration) => {
      const [written = '', ...value] = declaration.split(':');
      const property = written.trim().toLowerCase();
      if (!/^[a-z-]+$/.test(property) || EFFECT.test(property) || (!mayClip && property === 'clip-path')) return false;
      return isLocal(value.join(':'));
    })
    .join(';');

/** The plain rules of a style sheet; at-rules go, and with them everything that a sheet could load. */
export function cleanStyleSheet(css: string): string {
  const rules = css
    .replace(COMMENT, '')
    .split('}')
    .map((rule) => {
      const [before = '', declarations] = rule.split('{').slice(-2);
      const selector = before.split(';').at(-1)?.trim() ?? '';
      if (declarations === undefined || !/^[\w\s.#,>:-]{1,500}$/.test(selector)) return '';
      // Only by class, which shapes of a clip path do not have.
      return `${selector}{${cleanDeclarations(declarations, { mayClip: CLASSES.test(selector) })}}`;
    });
  return rules.join('');
}

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
const ANY_URL = /url\s*\(/i;
const LOCAL_URL = /url\(\s*(["']?)#[\w.-]+\1\s*\)/gi;

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
export const cleanDeclarations = (css: string): string =>
  css
    .split(';')
    .map((declaration) => declaration.trim())
    .filter((declaration) => {
      const [property = '', ...value] = declaration.split(':');
      return /^[a-z-]+\s*$/i.test(property) && !EFFECT.test(property.trim().toLowerCase()) && isLocal(value.join(':'));
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
      return `${selector}{${cleanDeclarations(declarations)}}`;
    });
  return rules.join('');
}

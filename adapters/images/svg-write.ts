import { refuse } from './svg-refused.ts';
import { isGeometry } from './svg-rules.ts';
import type { SvgPlan } from './svg-plan.ts';
import type { SvgElement } from './svg-tree.ts';

/** Writes a new SVG of only what is drawn: the renderer never reads the uploaded file. */

/** Size of the drawing without its images: many times that of a large logo. */
const MAX_KIB = 1024;

/** @param images for each drawn image, its data URL and its intrinsic size */
export function writeSvg(root: SvgElement, plan: SvgPlan, images: ReadonlyMap<string, EmbeddedImage>): string {
  const kept = new Set<SvgElement>();
  for (const element of plan.seen.keys()) {
    for (let at: SvgElement | undefined = element; at && !kept.has(at); at = at.parent) kept.add(at);
  }
  const output: string[] = [];
  let length = 0;
  const put = (text: string) => {
    length += text.length;
    if (length > MAX_KIB * 1024) throw refuse.tooLong(MAX_KIB);
    output.push(text);
  };
  const write = (element: SvgElement) => {
    const { name, children } = element;
    put(`<${name}`);
    if (element === root) put(' xmlns="http://www.w3.org/2000/svg"');
    for (const [attribute, value] of attributesOf(element, plan)) put(` ${attribute}="${escaped(value)}"`);
    const image = name === 'image' ? images.get(plan.links.get(element) ?? '') : undefined;
    if (image) {
      output.push(` href="${image.url}"`);
      if (!element.attributes.has('width') && !element.attributes.has('height')) {
        put(` width="${image.width}" height="${image.height}"`);
      }
    }
    put('>');
    if (element === root) put(backgroundOf(element, plan));
    for (const child of children) {
      if (typeof child !== 'string') {
        if (kept.has(child)) write(child);
      } else if (name === 'text' || name === 'tspan' || name === 'textPath') put(escaped(child));
    }
    put(`</${name}>`);
  };
  write(root);
  return output.join('');
}

export interface EmbeddedImage {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

function attributesOf(element: SvgElement, { seen, links, named }: SvgPlan): [string, string][] {
  const properties = new Map(seen.get(element));
  const transform = properties.get('transform');
  properties.delete('transform');
  const style = [...properties].map(([name, value]) => `${name}:${value}`).join(';');
  const link = links.get(element);
  return [
    ...[...element.attributes].filter(([name]) => isGeometry(name) && (name !== 'id' || named.has(element))),
    ...(transform ? [['transform', transform] satisfies [string, string]] : []),
    ...(style ? [['style', style] satisfies [string, string]] : []),
    ...(link?.startsWith('#') ? [['href', link] satisfies [string, string]] : []),
  ];
}

/** Browsers paint the root's background, the renderer does not. */
function backgroundOf(root: SvgElement, { background }: SvgPlan): string {
  if (background === undefined) return '';
  const [x = 0, y = 0, width, height] = (root.attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const size = width && height ? `width="${width}" height="${height}"` : 'width="100%" height="100%"';
  return `<rect x="${x || 0}" y="${y || 0}" ${size} style="fill:${escaped(background)}"></rect>`;
}

// Control characters are invalid in XML, even as references.
const escaped = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

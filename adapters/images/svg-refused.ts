/** A drawing that cannot be rendered faithfully. The message is a sentence for the person who made it. */
export class SvgRefused extends Error {
  override readonly name = 'SvgRefused';
}

const CURE = 'conviértalo en trazos o exporte un PNG';

/** Each sentence names the obstacle, and the remedy where there is one. */
export const refuse = {
  element: (name: string) => new SvgRefused(`El SVG usa <${name}>, que no se puede dibujar; ${CURE}`),
  property: (name: string, value: string) =>
    new SvgRefused(`El SVG usa «${name}: ${value.slice(0, 60)}», que no se puede dibujar; ${CURE}`),
  selector: (selector: string) =>
    new SvgRefused(`El SVG usa en su hoja de estilos «${selector.slice(0, 60)}», que no se admite; ${CURE}`),
  external: (what: string) =>
    new SvgRefused(`El SVG se refiere a algo fuera del archivo («${what.slice(0, 60)}»); incrústelo en él`),
  missing: (id: string) => new SvgRefused(`El SVG se refiere a «#${id.slice(0, 60)}», que no está en el archivo`),
  circular: (id: string) => new SvgRefused(`El SVG tiene una referencia circular en «#${id.slice(0, 60)}»`),
  tooDeep: (most: number) => new SvgRefused(`El SVG tiene referencias de más de ${most} niveles; ${CURE}`),
  tooMany: (most: number) =>
    new SvgRefused(`El SVG dibuja más de ${most} elementos, contadas las repeticiones; simplifíquelo o exporte un PNG`),
  tooLarge: (elements: number, levels: number) =>
    new SvgRefused(`El SVG tiene más de ${elements} elementos o de ${levels} niveles; simplifíquelo o exporte un PNG`),
  tooLong: (kib: number) => new SvgRefused(`El SVG tiene más de ${kib} KiB de dibujo; simplifíquelo o exporte un PNG`),
  embedded: () =>
    new SvgRefused('El SVG contiene una imagen que no es PNG ni JPEG, o que está dañada; incrústela como PNG o JPEG'),
  embeddedPixels: (megapixels: number) =>
    new SvgRefused(`Las imágenes dentro del SVG suman más de ${megapixels} megapíxeles; redúzcalas`),
  tooSlow: () => new SvgRefused('El SVG tarda demasiado en dibujarse; simplifíquelo o exporte un PNG'),
  undrawable: () => new SvgRefused('El SVG no se puede dibujar con el tamaño que indica; exporte un PNG'),
  empty: () => new SvgRefused('El SVG no muestra nada dentro de sus márgenes'),
} as const;

/** The one font for texts in drawings, and the names by which CSS asks for any. */
const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-\w[\w-]*|inherit|initial|unset|dejavu sans)$/i;

/** Families that a text asks for first and that are not available; another font replaces them. */
export function foreignFonts(families: Iterable<string>): readonly string[] {
  const first = [...families].map((family) => (family.split(',')[0] ?? '').replaceAll(/["']/g, '').trim());
  return [...new Set(first.filter((name) => name !== '' && !GENERIC.test(name)))].sort();
}

/** The one face that drawings' texts have, and the names under which CSS asks for any. */
const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-\w[\w-]*|inherit|initial|unset|dejavu sans)$/i;

/** Families that a text asks for first and that we do not have: another face stands in for them. */
export function foreignFonts(families: Iterable<string>): readonly string[] {
  const first = [...families].map((family) => (family.split(',')[0] ?? '').replaceAll(/["']/g, '').trim());
  return [...new Set(first.filter((name) => name !== '' && !GENERIC.test(name)))].sort();
}

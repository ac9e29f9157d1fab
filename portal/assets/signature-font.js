/** Letters that only the second file has. */
const EXTENDED = /[\u0100-\u024f\u1e00-\u1eff]/;
const loading = new Set();

/**
 * Loads the script font of the signed document for a typed name. Not by the stylesheet: the policy of the page allows
 * requests of scripts, and no fonts by their address.
 */
export function loadFontFor(name) {
  void load('Signature', 'signature.woff2');
  if (EXTENDED.test(name)) void load('Signature Extended', 'signature-extended.woff2');
}

async function load(family, file) {
  if (loading.has(file)) return;
  loading.add(file);
  try {
    const response = await fetch(new URL(file, import.meta.url));
    // The style sheet asks for an italic font, for letters that this one lacks.
    const face = new FontFace(family, await response.arrayBuffer(), { style: 'italic' });
    document.fonts.add(await face.load());
  } catch {
    // Without it, the name is shown in another italic font.
  }
}

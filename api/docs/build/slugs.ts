/** Makes anchors of headings as GitHub does, each once, so that links work there and here. */
export function slugs(): (heading: string) => string {
  const used = new Set<string>();
  return (heading) => {
    const base = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let slug = base;
    for (let n = 1; used.has(slug); n += 1) slug = `${base}-${n}`;
    used.add(slug);
    return slug;
  };
}

/** A name as part of an address: `Claves de API` → `claves-de-api`. */
export const addressPart = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-');

/** Bytes that a page and the files it loads transfer, compressed where the server does, to a browser with an empty cache. */
export async function transferred(
  url: string,
  path: string,
  { cookie = '', encodings = 'br, gzip' }: { readonly cookie?: string; readonly encodings?: string } = {},
): Promise<number> {
  const headers = { 'Accept-Encoding': encodings, cookie };
  const page = await fetch(url + path, { headers });
  if (!page.ok) throw new Error(`${path} answered ${page.status}`);
  const files = (await page.text()).match(LOADED) ?? [];
  const loaded = await Promise.all(files.map((file) => fetch(url + file, { headers })));
  return [page, ...loaded].reduce((sum, each) => sum + Number(each.headers.get('Content-Length')), 0);
}

/** Stylesheets and scripts. */
const LOADED = /(?<=(?:stylesheet" href|<script [^>]*src)=")[^"]+/g;

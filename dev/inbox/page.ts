import fs from 'node:fs';
import path from 'node:path';

/** The files of the inbox page. */

const FOLDER = path.join(import.meta.dirname, 'page');
const FILES: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  '/': { name: 'inbox.html', type: 'text/html; charset=utf-8' },
  '/inbox.css': { name: 'inbox.css', type: 'text/css; charset=utf-8' },
  '/views.js': { name: 'views.js', type: 'text/javascript; charset=utf-8' },
  '/inbox.js': { name: 'inbox.js', type: 'text/javascript; charset=utf-8' },
};

export function pageFile(pathname: string): { type: string; body: Buffer } | undefined {
  const file = Object.hasOwn(FILES, pathname) ? FILES[pathname] : undefined;
  return file && { type: file.type, body: fs.readFileSync(path.join(FOLDER, file.name)) };
}

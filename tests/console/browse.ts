import assert from 'node:assert/strict';
import { type Credential, type Response, type Service, service } from '../api/service.ts';

/** Requests to the console as a browser sends them, without scripts. */

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

const shown = ({ status, headers, bytes }: Response): Shown => ({ status, headers, html: bytes.toString() });

export async function open(path: string, as: Credential = {}): Promise<Shown> {
  return shown(await (await service()).get(path, as));
}

export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' } as const;
const OWN = { 'Sec-Fetch-Site': 'same-origin' } as const;

type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

const encoded = (fields: Fields): string => {
  const form = new URLSearchParams();
  for (const [name, value] of Array.isArray(fields) ? fields : Object.entries(fields)) form.append(name, value);
  return form.toString();
};

/** Posts a form; from our own page, unless other headers say so. */
export async function submit(
  path: string,
  fields: Fields,
  { as = {}, headers = OWN, app }: { as?: Credential; headers?: Credential; app?: Service } = {},
): Promise<Shown> {
  const to = app ?? (await service());
  return shown(await to.request('POST', path, { headers: { ...FORM, ...headers, ...as }, body: encoded(fields) }));
}

/** Posts a form with a file from our own page. */
export async function attach(path: string, file: FormData, as: Credential): Promise<Shown> {
  return shown(await (await service()).request('POST', path, { headers: { ...OWN, ...as }, body: file }));
}

/** The fields of the page's form, as the browser would send them unchanged. */
export function fieldsIn(html: string, action?: string): [string, string][] {
  // The first form of the content, after that of the navigation.
  const from = html.indexOf(action === undefined ? '<form' : `action="${action}"`, html.indexOf('<main'));
  assert.notEqual(from, -1, `no form for ${action}`);
  const form = html.slice(from, html.indexOf('</form>', from));
  return [...form.matchAll(FIELD)].flatMap(({ groups = {} }): [string, string][] => {
    const { tag, attributes = '', inner = '' } = groups;
    const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
    const name = attribute('name');
    const isUnchecked = /^(checkbox|radio)$/.test(attribute('type') ?? '') && !/\schecked\b/.test(attributes);
    if (name === undefined || isUnchecked) return [];
    const chosen = /value="([^"]*)"\s+selected/.exec(inner) ?? /value="([^"]*)"/.exec(inner);
    const value = tag === 'select' ? chosen?.[1] : tag === 'textarea' ? inner.replace(/^\n/, '') : attribute('value');
    return [[name, unescaped(value ?? '')]];
  });
}

/** `inner` is the text of a text area, or the options of a select. */
const FIELD = /<(?<tag>input|textarea|select)\b(?<attributes>[^>]*)>(?:(?<=<input[^>]*>)|(?<inner>[^]*?)<\/\k<tag>>)/g;

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The form's fields with some of them filled in. */
export const filled = (html: string, values: Readonly<Record<string, string>>, action?: string): [string, string][] => {
  const rest = fieldsIn(html, action).filter(([name]) => !(name in values));
  return [...rest, ...Object.entries(values)];
};

/** The heading of the page. */
export const titleOf = (html: string): string => /<h1[^>]*>([^<]*)<\/h1>/.exec(html)?.[1]?.trim() ?? '';

/** The message beside a field. */
export const errorAt = (html: string, name: string): string | undefined =>
  new RegExp(`id="${name.replaceAll('.', '\\.')}-error">([^<]*)<`).exec(html)?.[1];

/** The session of a sign-in by form. */
export const cookieIn = (headers: Headers): Credential => ({
  Cookie: headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; '),
});

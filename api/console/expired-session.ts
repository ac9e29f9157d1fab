import type { Context } from 'koa';
import type { Fields } from '../../console/forms/form-state.ts';
import { signInPage } from '../../console/account/sign-in-page.ts';
import type { Deps } from '../deps.ts';
import type { Page, PageResult } from './declaration.ts';
import { newForm } from './form.ts';
import { localPath, type OwnPaths } from './guards.ts';

/** A form that was submitted without a session, on its way over the sign-in. */
export interface CarriedForm {
  readonly path: string;
  readonly fields: Fields;
}

/** A GET leads to the sign-in and back. A POST is answered with the sign-in form, which carries what was submitted. */
export function expiredSession(
  ctx: Context,
  { deps, paths }: { readonly deps: Pick<Deps, 'config'>; readonly paths: OwnPaths },
  { page, fields }: { page: Page; fields: Fields | undefined },
): PageResult {
  if (page.method === 'GET') {
    const next = localPath(ctx.url, 'GET', paths);
    const isStart = next === undefined || next === '/app';
    return { redirectTo: isStart ? '/login' : `/login?${new URLSearchParams({ next }).toString()}` };
  }
  const carried = fields && { path: ctx.path, fields };
  const canRegister = deps.config.REGISTRATION !== 'closed';
  // Without the fields, as of an upload, the form itself is the best place to go on.
  const next = localPath(ctx.path, 'GET', paths);
  return { ...signInPage({ form: newForm(), next, carried, isExpired: true, canRegister }), status: 401 };
}

const PREFIX = 'carried.';

/** The fields of a carried form, which the sign-in form posted with its own. */
export function carriedIn(posted: Fields, paths: OwnPaths): CarriedForm | undefined {
  const path = localPath(posted.get('carriedTo')?.[0], 'POST', paths);
  if (path === undefined) return undefined;
  const fields = [...posted].flatMap(([name, values]): [string, readonly string[]][] =>
    name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), values]] : [],
  );
  return { path, fields: new Map(fields) };
}

import { Problem } from './problem.ts';
import type { Secrets } from './secrets.ts';

/** The three database URLs when an external PostgreSQL replaces the embedded one. */

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Undefined without `DATABASE_URL`. A single URL of any user but quoting_app is taken for the owner's; the other two
 * are derived from it with stored passwords, which the migrations give to these roles.
 */
export function databaseSettings(given: Environment, secrets: Secrets): Record<string, string> | undefined {
  const url = given['DATABASE_URL'];
  if (!url) return undefined;
  if (!URL.canParse(url)) throw new Problem('DATABASE_URL no es una URL de PostgreSQL (postgres://usuario@host/base).');

  const isApp = new URL(url).username === 'quoting_app';
  const admin = given['DATABASE_ADMIN_URL'] ?? (isApp ? undefined : url);
  if (!admin) {
    throw new Problem(
      'DATABASE_URL es la del usuario quoting_app: falta DATABASE_ADMIN_URL, la del dueño de la base, para las migraciones.',
    );
  }
  return {
    DATABASE_ADMIN_URL: admin,
    DATABASE_URL: isApp ? url : as(url, 'quoting_app', secrets.app),
    DATABASE_DISPATCHER_URL: given['DATABASE_DISPATCHER_URL'] ?? as(url, 'quoting_dispatcher', secrets.dispatcher),
  };
}

function as(url: string, user: string, password: string): string {
  const result = new URL(url);
  result.username = user;
  result.password = password;
  return result.href;
}

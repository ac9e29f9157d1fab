import { Problem } from './problem.ts';
import type { Login } from './stack-file.ts';

/** Logs in over HTTP, so that a login is only shown when it works. */
export async function proveLogin(api: string, { email, password }: Login): Promise<void> {
  const response = await fetch(`${api}/api/auth/callback/credentials`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(15_000),
  });
  if (response.ok) return;
  throw new Problem(
    `La API contesta ${response.status} al entrar como ${email}. Si los datos son de otra versión: npm run reset`,
  );
}

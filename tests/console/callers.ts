import { User } from '../../db/models/user.ts';
import * as build from '../api/build.ts';
import { type Credential, service } from '../api/service.ts';

/** Sessions of each kind of caller. */
export interface Callers {
  readonly owner: build.Business;
  readonly collaborator: Credential;
  readonly free: build.Business;
  readonly unverified: build.Business;
  readonly other: build.Business;
}

export async function callers(): Promise<Callers> {
  const owner = await build.business();
  const free = await build.business({ plan: 'FREE' });
  const unverified = await build.business({ isVerified: false });
  const other = await build.business();
  return { owner, collaborator: await collaboratorOf(owner), free, unverified, other };
}

/** A collaborator who is signed in with a session. */
export async function collaboratorOf(business: build.Business): Promise<Credential> {
  const app = await service();
  const { userId } = await build.member(business);
  const email = `${userId}@colaborador.test`;
  await app.deps.withTenant(business.tenantId, async (trx) => {
    const { passwordHash } = await User.query(trx).findById(business.userId).throwIfNotFound();
    await User.query(trx).findById(userId).patch({ passwordHash, emailVerifiedAt: new Date() });
  });
  const signedIn = await app.post('/api/auth/callback/credentials', { email, password: build.PASSWORD });
  return build.cookieOf(signedIn.headers);
}

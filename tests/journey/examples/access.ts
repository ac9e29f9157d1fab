import { Secret, TOTP } from 'otpauth';
import { cookieOf } from '../../api/build.ts';
import { type Credential, ownService, type Service } from '../../api/service.ts';
import { tokenMailedTo } from './mails.ts';
import type { Recorder } from './recorder.ts';
import { ITEM, UNKNOWN } from './refusal-world.ts';

const EVA = { email: 'eva@tallernogal.example', password: 'tres nogales junto al lago' } as const;
const NEW_PASSWORD = 'la biblioteca de nogal';
const PHONE = { 'User-Agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/142.0' };
const LAPTOP = { 'User-Agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) Safari/605.1.15' };
const SIGN_IN = 'POST /api/auth/callback/credentials';

/** Another business confirms its address, and its owner looks after the access to it. */
export async function access(recorder: Recorder): Promise<void> {
  const { call, chapter } = recorder;
  chapter('2026-12-02T01:00:00.000Z');
  const of = await ownService({ EMAIL_VERIFICATION: 'required' });
  const registered = await of.post(
    '/api/auth/register',
    { businessName: 'Taller Nogal', name: 'Eva Luna', ...EVA },
    LAPTOP,
  );
  const as = { ...cookieOf(registered.headers), ...LAPTOP };
  await unverified(recorder, of, as);
  const first = await tokenMailedTo(EVA.email);
  await call('POST /api/auth/verify-email/resend', { of, as });
  await call('POST /api/auth/verify-email', {
    of,
    as: {},
    body: { token: await tokenMailedTo(EVA.email, { after: first }) },
  });
  await sessions(recorder, of, as);
  await twoFactor(recorder, of, as);
  await call('POST /api/auth/signout-everywhere', { of, as });
}

/** What the business cannot do yet, and a registration where operators create the businesses. */
async function unverified({ call }: Recorder, of: Service, as: Credential): Promise<void> {
  const channel = { channel: 'link' };
  await call('POST /api/quotes/:id/share', { of, as, params: { id: UNKNOWN }, body: channel, status: 403 });
  await call('POST /api/auth/register', {
    of: await ownService({ REGISTRATION: 'closed' }),
    as: {},
    body: { businessName: 'Taller Nogal', name: 'Eva Luna', ...EVA },
    status: 403,
  });
}

async function sessions({ call }: Recorder, of: Service, as: Credential): Promise<void> {
  await of.post('/api/auth/callback/credentials', EVA, PHONE);
  const open = await call('GET /api/auth/sessions', { of, as });
  const { id } = open.find((one: { isCurrent: boolean }) => !one.isCurrent);
  await call('DELETE /api/auth/sessions/:id', { of, as, params: { id } });
  await call('DELETE /api/auth/sessions/:id', { of, as, params: { id: UNKNOWN }, status: 404 });
  const wrong = { currentPassword: 'no es esta', newPassword: NEW_PASSWORD };
  await call('POST /api/auth/change-password', { of, as, body: wrong, status: 400 });
  await call('POST /api/auth/change-password', { of, as, body: { ...wrong, currentPassword: EVA.password } });
  const { key } = await call('POST /api/api-keys', {
    of,
    as,
    body: { name: 'Tablero de ventas', scope: 'read' },
    isExample: false,
  });
  await call('POST /api/quotes', {
    of,
    as: { Authorization: `Bearer ${key}` },
    body: { clientId: UNKNOWN, items: [ITEM] },
    status: 403,
  });
}

async function twoFactor({ call }: Recorder, of: Service, as: Credential): Promise<void> {
  const { email } = EVA;
  const password = NEW_PASSWORD;
  const change = (step: string, body: object, status?: number) =>
    call(`POST /api/auth/two-factor/${step}`, { of, as, body, ...(status !== undefined && { status }) });
  await change('enable', { password, code: '492039' }, 409);
  await change('disable', { password, code: '492039' }, 409);
  await change('recovery-codes', { password, code: '492039' }, 409);
  await change('setup', { password: 'no es esta' }, 400);
  const { secret } = await change('setup', { password });
  // Each step counts once, and that of a later call is later.
  const codeOf = (steps: number): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  await change('enable', { password, code: codeOf(0) });
  await change('setup', { password }, 409);
  await change('enable', { password, code: codeOf(1) }, 409);
  const { recoveryCodes } = await change('recovery-codes', { password, code: codeOf(1) });
  await call('GET /api/auth/two-factor', { of, as });
  await call(SIGN_IN, { of, as: PHONE, body: { email, password }, status: 401 });
  await call(SIGN_IN, { of, as: PHONE, body: { email, password, code: '12345' }, status: 401 });
  await change('disable', { password, recoveryCode: recoveryCodes[0] });
}

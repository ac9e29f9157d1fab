import { type Credential, type Service } from '../../api/service.ts';
import { png } from '../../adapters/image-files.ts';
import { cookieOf } from '../../api/build.ts';
import { tokenMailedTo } from './mails.ts';
import type { Recorder } from './recorder.ts';

const OWNER = { email: 'diana@mueblesroble.example', password: 'un roble da sombra' } as const;
const NEW_PASSWORD = 'cuatro sillas y una mesa';

/** The business registers, signs in, makes a key for its integration, and describes itself. */
export async function account(app: Service, { call, chapter, actAs }: Recorder): Promise<{ tenantId: string }> {
  chapter('2026-12-01T14:30:00.000Z');
  const { user } = await call('POST /api/auth/register', {
    body: { businessName: 'Muebles Roble', name: 'Diana Ríos', ...OWNER },
  });
  await call('POST /api/auth/forgot-password', { body: { email: OWNER.email } });
  const token = await tokenMailedTo(OWNER.email);
  await call('POST /api/auth/reset-password', { body: { token, password: NEW_PASSWORD } });
  const session = await signIn(app, { call });
  await call('GET /api/auth/session', { as: session });
  const { key } = await call('POST /api/api-keys', { as: session, body: { name: 'Integración con contabilidad' } });
  await call('GET /api/api-keys', { as: session });
  actAs({ Authorization: `Bearer ${key}` });

  chapter('2026-12-01T14:50:00.000Z');
  await call('PUT /api/settings', {
    body: {
      companyName: 'Muebles Roble',
      legalName: 'Muebles Roble, S.A. de C.V.',
      taxId: 'MAB9307148T4',
      email: 'ventas@mueblesroble.example',
      phone: '+52 222 555 0134',
      address: 'Av. Juárez 10, Centro, 72000 Puebla, Pue.',
      bankInfo: { bankName: 'Banco del Centro', clabe: '032180000118359719', beneficiary: 'Muebles Roble, S.A. de C.V.' },
      defaultNotes: 'Entrega en 10 días hábiles',
      defaultTerms: '50 % de anticipo, resto contra entrega.',
      quoteValidityDays: 15,
      followUpDays: [3, 7],
      pdfBranding: { primaryColor: '#1F4E79', accentColor: '#E07A1F', footerText: 'Precios sujetos a cambio sin previo aviso' },
      nextQuoteNumber: 101,
    },
  }); // prettier-ignore
  const logo = new FormData();
  logo.set('logo', new Blob([new Uint8Array(await png({ width: 90, height: 60 }))]), 'logo.png');
  await call('POST /api/settings/logo', { form: logo });
  await call('GET /api/settings/logo');
  await call('GET /api/settings');
  await call('GET /api/taxes');
  return { tenantId: user.tenantId };
}

async function signIn(app: Service, { call }: Pick<Recorder, 'call'>): Promise<Credential> {
  const credentials = { email: OWNER.email, password: NEW_PASSWORD };
  const { headers } = await app.post('/api/auth/callback/credentials', credentials);
  await call('POST /api/auth/callback/credentials', { body: credentials });
  return cookieOf(headers);
}

/** Two colleagues join, one of whom leaves and passes on her quotes. */
export async function team(app: Service, { call, chapter }: Recorder): Promise<{ colleague: Credential }> {
  chapter('2026-12-01T15:20:00.000Z');
  await call('POST /api/collaborators', {
    body: { email: 'carlos@mueblesroble.example', name: 'Carlos Ruiz' },
  });
  const token = await tokenMailedTo('carlos@mueblesroble.example');
  await call('POST /api/auth/accept-invitation', {
    body: { token, name: 'Carlos Ruiz', password: 'la mesa del comedor' },
  });
  const { headers } = await app.post('/api/auth/callback/credentials', {
    email: 'carlos@mueblesroble.example',
    password: 'la mesa del comedor',
  });
  const marta = await call('POST /api/collaborators', {
    body: { email: 'marta@mueblesroble.example', name: 'Marta Solís' },
    isExample: false,
  });
  await call('PATCH /api/collaborators/:id', { params: { id: marta.id }, body: { name: 'Marta Solís Vega' } });
  await call('GET /api/collaborators');
  return { colleague: cookieOf(headers) };
}

/** The end of the story: the business removes what it made. */
export async function leave(app: Service, { call, chapter }: Recorder): Promise<void> {
  chapter('2026-12-02T00:10:00.000Z');
  const people = await call('GET /api/collaborators', { isExample: false });
  const idOf = (email: string): string => people.find((one: { email: string }) => one.email === email)?.id;
  await call('POST /api/collaborators/:id/transfer', {
    params: { id: idOf('carlos@mueblesroble.example') },
    body: { toUserId: idOf(OWNER.email) },
  });
  await call('DELETE /api/collaborators/:id', { params: { id: idOf('marta@mueblesroble.example') } });
  await call('DELETE /api/settings/logo');
  await call('GET /api/settings/logo', { status: 404 });
  const { key } = await call('POST /api/api-keys', { body: { name: 'Hoja de cálculo de ventas' }, isExample: false });
  const keys = await call('GET /api/api-keys', { as: { Authorization: `Bearer ${key}` }, isExample: false });
  const { id } = keys.find((one: { name: string }) => one.name === 'Hoja de cálculo de ventas');
  await call('DELETE /api/api-keys/:id', { params: { id } });
  await call('POST /api/auth/signout', { as: await signIn(app, { call }) });
}

import { businessNotFound, fileTypeNotAllowed, logoTooLarge, noFile, planRequired } from '../../domain/errors.ts';
import { planRefusal } from '../../domain/plans.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { replaceLogo } from './logo.ts';
import { settingsBody } from './present.ts';
import { findBusiness } from './queries.ts';
import { LogoAnswer, LogoForm, SettingsAnswer, UpdateSettings } from './schema.ts';
import { assertAllowed, updateSettings } from './update.ts';

const tag = 'Negocio';
const MEGABYTE = 1024 * 1024;

export const settingsRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/settings',
    tag,
    summary: 'Los datos y ajustes del negocio',
    access: 'config:manage',
    rate: 'default',
    responses: { 200: { description: 'Los ajustes', schema: SettingsAnswer } },
    refusals: [businessNotFound()],
    handle: async ({ caller: { tenantId } }) => {
      const tenant = await deps.withTenant(tenantId, (trx) => findBusiness(trx, tenantId));
      return { status: 200, body: { data: await settingsBody(deps.storage, tenant) } };
    },
  }),
  route({
    method: 'PUT',
    path: '/api/settings',
    tag,
    summary: 'Cambia los datos y ajustes del negocio',
    description: 'Cualquier parte de ellos; lo que no se envía se queda. Las cotizaciones que existen no cambian.',
    access: 'config:manage',
    rate: 'default',
    body: UpdateSettings,
    responses: { 200: { description: 'Los ajustes cambiados', schema: SettingsAnswer } },
    refusals: [planRequired(planRefusal('pdf_branding')), businessNotFound()],
    handle: async ({ caller, body }) => {
      assertAllowed(caller, body);
      const tenant = await deps.withTenant(caller.tenantId, (trx) => updateSettings(trx, caller, body));
      return { status: 200, body: { data: await settingsBody(deps.storage, tenant) } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/settings/logo',
    tag,
    summary: 'Cambia el logotipo',
    description:
      'El archivo se reconoce por su contenido, no por su nombre, y se guarda dibujado de nuevo: PNG opaco de a lo más ' +
      '600 × 600. Se muestra en los PDF del plan PRO. La misma imagen dos veces es el mismo archivo.',
    access: 'config:manage',
    rate: 'upload',
    idempotency: 'none',
    body: LogoForm,
    upload: { field: 'logo', maxBytes: 2 * MEGABYTE, missing: noFile, tooLarge: logoTooLarge },
    responses: { 200: { description: 'Dónde quedó', schema: LogoAnswer } },
    refusals: [noFile(), fileTypeNotAllowed(), logoTooLarge(), businessNotFound()],
    handle: async ({ caller, body, signal }) => ({
      status: 200,
      body: await replaceLogo(deps, caller, { file: body.logo, signal }),
    }),
  }),
];

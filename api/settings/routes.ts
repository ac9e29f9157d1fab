import {
  businessNotFound,
  fileTypeNotAllowed,
  logoRefused,
  logoTooLarge,
  noFile,
  planRequired,
} from '../../domain/errors.ts';
import { planRefusal } from '../../domain/plans.ts';
import { warningsOf } from '../../domain/warnings.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { Done, done } from '../schema.ts';
import { removeLogo, replaceLogo } from './logo.ts';
import { settingsBody } from './present.ts';
import { findSettings } from './queries.ts';
import { LogoResult, LogoForm, SettingsResult, UpdatedSettings, UpdateSettings } from './schema.ts';
import { withWarnings } from '../warnings.ts';
import { assertAllowed, updateSettings } from './write.ts';

const tag = 'Business';
const MEGABYTE = 1024 * 1024;
const LOGO_LIMITS =
  'El archivo se reconoce por su contenido, no por su nombre, y se guarda dibujado de nuevo: PNG de a lo más 600 × 600, ' +
  'con su transparencia. Se muestra en los PDF del plan PRO. La misma imagen dos veces es el mismo archivo.\n\n' +
  'Límites: 2 MB; 25 megapíxeles. De un SVG se dibuja todo lo que se ve, o se rechaza con la razón y el logotipo anterior ' +
  'se queda: a lo más 20 000 elementos en el archivo, 48 niveles y 1 MiB de dibujo sin sus imágenes; a lo más 10 000 ' +
  'elementos dibujados, contadas las repeticiones de `use`, `pattern`, `mask`, `clipPath`, `marker` y degradados, y 16 ' +
  'niveles de referencias, ninguna circular ni hacia fuera del archivo; imágenes incrustadas solo PNG o JPEG, de a lo más ' +
  '25 megapíxeles en total; 5 segundos de dibujo. Se rechazan, entre otros, `foreignObject`, animaciones, filtros de ruido o ' +
  'de luz, y un DOCTYPE con declaraciones. Un texto en una fuente que no tenemos se dibuja con otra y la respuesta lo ' +
  'advierte en `warnings`.';
const REASON = 'El SVG usa <foreignObject>, que no se puede dibujar; conviértalo en trazos o exporte un PNG';

export const settingsRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/settings',
    operationId: 'getSettings',
    tag,
    summary: 'Los datos y ajustes del negocio',
    access: 'config:manage',
    responses: { 200: { description: 'Los ajustes', schema: SettingsResult } },
    refusals: [businessNotFound()],
    handle: async ({ caller: { tenantId } }) => {
      const settings = await deps.withTenant(tenantId, (trx) => findSettings(trx, tenantId));
      return { status: 200, body: { data: await settingsBody(deps.storage, settings) } };
    },
  }),
  route({
    method: 'PUT',
    path: '/api/settings',
    operationId: 'updateSettings',
    tag,
    summary: 'Cambia los datos y ajustes del negocio',
    description:
      'Cualquier parte de ellos; lo que no se envía se queda. Las cotizaciones que existen no cambian. Una clave fiscal o ' +
      'una CLABE que parece equivocada se guarda, y la respuesta lo dice en `warnings`.',
    access: 'config:manage',
    body: UpdateSettings,
    responses: { 200: { description: 'Los ajustes cambiados', schema: UpdatedSettings } },
    refusals: [planRequired(planRefusal('pdf_branding')), businessNotFound()],
    handle: async ({ caller, body }) => {
      assertAllowed(caller, body);
      const settings = await deps.withTenant(caller.tenantId, (trx) => updateSettings(trx, caller, body));
      const looksWrong = warningsOf({ taxId: body.taxId, clabe: body.bankInfo?.clabe }, settings.tenant.country);
      return { status: 200, body: withWarnings({ data: await settingsBody(deps.storage, settings) }, looksWrong) };
    },
  }),
  route({
    method: 'POST',
    path: '/api/settings/logo',
    operationId: 'uploadLogo',
    tag,
    summary: 'Cambia el logotipo',
    description: LOGO_LIMITS,
    access: 'config:manage',
    rate: 'upload',
    idempotency: 'none',
    body: LogoForm,
    upload: { field: 'logo', maxBytes: 2 * MEGABYTE, missing: noFile, tooLarge: logoTooLarge },
    responses: { 200: { description: 'Dónde quedó', schema: LogoResult } },
    refusals: [noFile(), fileTypeNotAllowed(), logoRefused(REASON), logoTooLarge(), businessNotFound()],
    handle: async ({ caller, body, signal }) => ({
      status: 200,
      body: await replaceLogo(deps, caller, { file: body.logo, signal }),
    }),
  }),
  route({
    method: 'DELETE',
    path: '/api/settings/logo',
    operationId: 'deleteLogo',
    tag,
    summary: 'Quita el logotipo',
    description: 'En cualquier plan. `logoUrl` queda en null; sin logotipo no cambia nada.',
    access: 'config:manage',
    responses: { 200: { description: 'El negocio no tiene logotipo', schema: Done } },
    refusals: [businessNotFound()],
    handle: async ({ caller }) => {
      await deps.withTenant(caller.tenantId, (trx) => removeLogo(trx, caller));
      return { status: 200, body: done() };
    },
  }),
];

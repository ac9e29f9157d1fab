import {
  businessNotFound,
  logoNotFound,
  logoRefused,
  logoTooLarge,
  logoTypeNotAllowed,
  nextNumberTooLow,
  noFile,
} from '../../domain/errors.ts';
import { workQueueFull } from '../../domain/request-refusals.ts';
import { featureNotInPlan } from '../../domain/plans.ts';
import { warningsOf } from '../../domain/warnings.ts';
import type { Deps } from '../deps.ts';
import { tagged } from '../entity-tag.ts';
import { type Route, route } from '../route.ts';
import { Done, done } from '../schema.ts';
import { readLogo, removeLogo, replaceLogo } from './logo.ts';
import { LOGO_UPLOAD } from './logo-upload.ts';
import { settingsBody, settingsTag } from './present.ts';
import { findSettings } from './queries.ts';
import { LogoResult, LogoForm, SettingsResult, UpdatedSettings, UpdateSettings } from './schema.ts';
import { withWarnings } from '../warnings.ts';
import { assertAllowed, updateSettings } from './write.ts';

const tag = 'Business';
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
    etag: 'returned',
    responses: { 200: { description: 'Los ajustes', schema: SettingsResult } },
    refusals: [businessNotFound()],
    handle: async ({ caller: { tenantId } }) => {
      const settings = await deps.withTenant(tenantId, (trx) => findSettings(trx, tenantId));
      const body = { data: await settingsBody(deps.storage, settings) };
      return { status: 200, ...tagged(body, settingsTag(settings.tenant)) };
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
    etag: 'checked',
    body: UpdateSettings,
    responses: { 200: { description: 'Los ajustes cambiados', schema: UpdatedSettings } },
    refusals: [nextNumberTooLow(12), featureNotInPlan('pdf_branding'), businessNotFound()],
    handle: async ({ caller, body, ifMatch }) => {
      assertAllowed(caller, body);
      const settings = await deps.withTenant(caller.tenantId, (trx) => updateSettings(trx, caller, { body, ifMatch }));
      const looksWrong = warningsOf({ taxId: body.taxId, clabe: body.bankInfo?.clabe }, settings.tenant.country);
      const response = withWarnings({ data: await settingsBody(deps.storage, settings) }, looksWrong);
      return { status: 200, ...tagged(response, settingsTag(settings.tenant)) };
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
    upload: LOGO_UPLOAD,
    responses: { 200: { description: 'Dónde quedó', schema: LogoResult } },
    refusals: [
      noFile(),
      logoTypeNotAllowed(),
      logoRefused(REASON),
      logoTooLarge(),
      businessNotFound(),
      workQueueFull(30),
    ],
    handle: async ({ caller, body, signal }) => ({
      status: 200,
      body: await replaceLogo(deps, caller, { file: body.logo, signal }),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/settings/logo',
    operationId: 'downloadLogo',
    tag,
    summary: 'El logotipo, como se guardó',
    description: 'Siempre PNG. `logoUrl` de los ajustes es un enlace temporal al mismo archivo.',
    access: 'config:manage',
    responses: { 200: { description: 'La imagen', contentType: 'image/png' } },
    refusals: [businessNotFound(), logoNotFound()],
    handle: async ({ caller }) => {
      const headers = { 'Content-Type': 'image/png', 'Cache-Control': 'private, no-store' };
      return { status: 200, body: await readLogo(deps, caller), headers };
    },
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

/**
 * The audience of each route and the routes that need PRO. This is independent of the declarations, so that the
 * permission matrix detects a route with a wrong role or without its plan gate.
 */

/** The minimum caller: anybody, any member of the business, a member with a session and no key, or an owner. */
export type Audience = 'anybody' | 'member' | 'session' | 'owner';

const BY_AUDIENCE: Readonly<Record<Audience, readonly string[]>> = {
  anybody: [
    'POST /api/auth/register',
    'POST /api/auth/callback/credentials',
    'POST /api/auth/forgot-password',
    'POST /api/auth/reset-password',
    'POST /api/auth/accept-invitation',
    'POST /api/auth/verify-email',
    'GET /api/portal/:token',
    'GET /api/portal/:token/pdf',
    'GET /api/portal/:token/attachments/:attachmentId',
    'POST /api/portal/:token/totals',
    'POST /api/portal/:token/accept',
    'POST /api/portal/:token/reject',
    'POST /api/portal/:token/request-changes',
  ],
  member: [
    'GET /api/auth/session',
    'POST /api/auth/signout',
    'GET /api/api-keys',
    'POST /api/api-keys',
    'DELETE /api/api-keys/:id',
    'GET /api/clients',
    'POST /api/clients',
    'GET /api/clients/:id',
    'GET /api/products',
    'GET /api/products/:id',
    'GET /api/quotes',
    'GET /api/quotes/export.csv',
    'GET /api/quotes/export.xlsx',
    'POST /api/quotes',
    'POST /api/quotes/preview',
    'GET /api/taxes',
    'GET /api/quotes/:id',
    'PATCH /api/quotes/:id',
    'POST /api/quotes/:id/share',
    'GET /api/quotes/:id/pdf',
    'POST /api/quotes/:id/pdf',
    'POST /api/quotes/:id/duplicate',
    'POST /api/quotes/:id/revise',
    'GET /api/quotes/:id/attachments',
    'POST /api/quotes/:id/attachments',
    'GET /api/quotes/:id/attachments/:attachmentId',
    'DELETE /api/quotes/:id/attachments/:attachmentId',
    'GET /api/quotes/:id/messages',
    'POST /api/quotes/:id/messages',
    'GET /api/quotes/:id/versions',
    'GET /api/quotes/:id/history',
    'POST /api/quotes/:id/share/preview',
    'GET /api/quotes/:id/signature',
    'GET /api/quotes/:id/signature/evidence',
    'GET /api/quotes/:id/link',
    'POST /api/quotes/:id/link/rotate',
    'POST /api/quotes/:id/labels/:labelId',
    'DELETE /api/quotes/:id/labels/:labelId',
    'GET /api/notifications',
    'PATCH /api/notifications/:id/read',
    'POST /api/notifications/mark-all-read',
    'GET /api/reminders',
    'GET /api/onboarding',
    'GET /api/labels',
    'GET /api/templates',
    'GET /api/templates/:id',
    'GET /api/connector/me',
    'GET /api/connector/actions/list-templates',
    'POST /api/connector/actions/create-from-template',
    'GET /api/connector/triggers/:event/sample',
  ],
  session: [
    'GET /api/auth/sessions',
    'DELETE /api/auth/sessions/:id',
    'POST /api/auth/signout-everywhere',
    'POST /api/auth/change-password',
    'POST /api/auth/verify-email/resend',
    'GET /api/auth/two-factor',
    'POST /api/auth/two-factor/setup',
    'POST /api/auth/two-factor/enable',
    'POST /api/auth/two-factor/recovery-codes',
    'POST /api/auth/two-factor/disable',
  ],
  owner: [
    'POST /api/clients/import',
    'POST /api/products/import',
    'GET /api/imports/:id',
    'GET /api/collaborators',
    'POST /api/collaborators',
    'PATCH /api/collaborators/:id',
    'DELETE /api/collaborators/:id',
    'POST /api/collaborators/:id/transfer',
    'PATCH /api/clients/:id',
    'DELETE /api/clients/:id',
    'POST /api/products',
    'PATCH /api/products/:id',
    'DELETE /api/products/:id',
    'PATCH /api/quotes/:id/status',
    'GET /api/quotes/:id/runs',
    'GET /api/pipeline',
    'GET /api/pipeline/vendors',
    'GET /api/dashboard',
    'GET /api/audit-logs',
    'GET /api/settings',
    'PUT /api/settings',
    'POST /api/settings/logo',
    'GET /api/settings/logo',
    'DELETE /api/settings/logo',
    'POST /api/labels',
    'PATCH /api/labels/:id',
    'DELETE /api/labels/:id',
    'POST /api/templates',
    'PATCH /api/templates/:id',
    'DELETE /api/templates/:id',
    'GET /api/automations',
    'POST /api/automations',
    'GET /api/automations/:id',
    'PATCH /api/automations/:id',
    'DELETE /api/automations/:id',
    'GET /api/automations/:id/logs',
    'POST /api/automations/:id/test',
    'GET /api/webhooks',
    'POST /api/webhooks',
    'GET /api/webhooks/events',
    'GET /api/webhooks/:id',
    'PUT /api/webhooks/:id',
    'DELETE /api/webhooks/:id',
    'POST /api/webhooks/:id/test',
    'POST /api/webhooks/:id/rotate-secret',
    'GET /api/webhooks/:id/deliveries',
    'GET /api/webhooks/:id/deliveries/:deliveryId',
    'POST /api/webhooks/:id/deliveries/:deliveryId/replay',
    'POST /api/connector/hooks',
    'DELETE /api/connector/hooks/:id',
  ],
};

const PRO = 'Función disponible en el plan Pro';

/** The message for FREE tenants, by path or parent path, unless a route has its own message. */
const GATED_PATHS: readonly string[] = [
  '/api/collaborators',
  '/api/pipeline',
  '/api/dashboard',
  '/api/audit-logs',
  '/api/automations',
  '/api/webhooks',
  '/api/connector/hooks',
];
const GATED_ROUTES: Readonly<Record<string, string>> = {
  'POST /api/quotes/:id/duplicate': PRO,
  'POST /api/quotes/:id/revise': 'Función no disponible en el plan actual',
  'POST /api/templates': 'Función disponible en plan PRO',
  'PATCH /api/templates/:id': 'Función disponible en plan PRO',
  'POST /api/connector/actions/create-from-template': PRO,
};

/** Removing access needs no plan. */
const UNGATED: ReadonlySet<string> = new Set(['DELETE /api/collaborators/:id']);

const AUDIENCES: readonly Audience[] = ['anybody', 'member', 'session', 'owner'];

/** All listed routes with their audience. */
export const ACCESS: Readonly<Record<string, Audience>> = Object.fromEntries(
  AUDIENCES.flatMap((audience) => BY_AUDIENCE[audience].map((name) => [name, audience])),
);

/** The message of the 403 for a FREE owner; undefined for a route without a plan gate. */
export function gateOf(name: string): string | undefined {
  if (UNGATED.has(name)) return undefined;
  const [, path = ''] = name.split(' ');
  const isGated = GATED_PATHS.some((gated) => path === gated || path.startsWith(`${gated}/`));
  return GATED_ROUTES[name] ?? (isGated ? PRO : undefined);
}

/** Reads that show access or give more: a key that only reads may not call them, besides every unsafe route. */
const NOT_READ_BY_KEYS: ReadonlySet<string> = new Set([
  'GET /api/auth/session',
  'GET /api/api-keys',
  'GET /api/quotes/:id/link',
]);

/** Whether a key of the scope `read` may call it. */
export const isReadByKeys = (name: string): boolean =>
  name.startsWith('GET ') && ACCESS[name] !== 'session' && !NOT_READ_BY_KEYS.has(name);

/** Routes that reach other people or give access: closed until the business has confirmed its address. */
export const NEEDS_VERIFIED_EMAIL: ReadonlySet<string> = new Set([
  'POST /api/api-keys',
  'POST /api/clients/import',
  'POST /api/collaborators',
  'POST /api/connector/hooks',
  'POST /api/products/import',
  'POST /api/quotes/:id/messages',
  'POST /api/quotes/:id/share',
  'POST /api/webhooks',
  'POST /api/webhooks/:id/test',
]);

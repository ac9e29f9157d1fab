import { disableTenant } from '../../db/writes/disable-tenant.ts';
import { switchTenant } from './tenants.ts';

/** Disables a business: no sign-ins, keys, sessions, portal, automations, webhooks, reminders or mails. */
export const run = switchTenant(disableTenant, { done: 'desactivado', already: 'ya estaba desactivado' });

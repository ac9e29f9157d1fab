import { enableTenant } from '../../db/writes/disable-tenant.ts';
import { switchTenant } from './tenants.ts';

/** Enables a disabled business, on the plan that it had. */
export const run = switchTenant(enableTenant, { done: 'activo otra vez', already: 'ya estaba activo' });

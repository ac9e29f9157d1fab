/** The roles and what each may do. */
export const ROLES = ['OWNER', 'COLLABORATOR'] as const;
export type Role = (typeof ROLES)[number];

export const PERMISSIONS = [
  'quotes:create',
  'quotes:read',
  'quotes:read_all',
  'products:manage',
  'products:read',
  'products:create',
  'products:update',
  'products:delete',
  'clients:manage',
  'clients:read',
  'clients:create',
  'clients:update',
  'clients:delete',
  'config:manage',
  'pipeline:view',
  'dashboard:view',
  'collaborators:manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const COLLABORATOR: ReadonlySet<Permission> = new Set([
  'quotes:create',
  'quotes:read',
  'products:read',
  'clients:read',
  'clients:create',
]);

export const can = (role: Role, permission: Permission): boolean => role === 'OWNER' || COLLABORATOR.has(permission);

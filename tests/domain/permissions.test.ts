import assert from 'node:assert/strict';
import { can, PERMISSIONS, ROLES } from '../../domain/permissions.ts';

describe('permissions', () => {
  it('the matrix of the two roles is this table', () => {
    const yes = (allowed: boolean) => (allowed ? 'yes' : 'no');

    const matrix = PERMISSIONS.map((permission) => [
      permission,
      yes(can('OWNER', permission)),
      yes(can('COLLABORATOR', permission)),
    ]);

    assert.deepEqual(matrix, [
      ['quotes:create', 'yes', 'yes'],
      ['quotes:read', 'yes', 'yes'],
      ['quotes:read_all', 'yes', 'no'],
      ['products:manage', 'yes', 'no'],
      ['products:read', 'yes', 'yes'],
      ['products:create', 'yes', 'no'],
      ['products:update', 'yes', 'no'],
      ['products:delete', 'yes', 'no'],
      ['clients:manage', 'yes', 'no'],
      ['clients:read', 'yes', 'yes'],
      ['clients:create', 'yes', 'yes'],
      ['clients:update', 'yes', 'no'],
      ['clients:delete', 'yes', 'no'],
      ['config:manage', 'yes', 'no'],
      ['pipeline:view', 'yes', 'no'],
      ['dashboard:view', 'yes', 'no'],
      ['collaborators:manage', 'yes', 'no'],
    ]);
  });

  it('there are exactly two roles, owner and collaborator', () => {
    assert.deepEqual(ROLES, ['OWNER', 'COLLABORATOR']);
  });
});

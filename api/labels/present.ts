import type { Label } from '../../db/models/label.ts';

export const labelBody = (label: Label) => ({
  id: label.id,
  name: label.name,
  color: label.color,
  createdAt: label.createdAt.toISOString(),
});

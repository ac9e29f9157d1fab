import type { Label } from '../../db/models/label.ts';
import type { ResponseBody } from '../schema.ts';
import type { LabelBody } from './schema.ts';

export const labelBody = (label: Label): ResponseBody<typeof LabelBody> => ({
  id: label.id,
  name: label.name,
  color: label.color,
  createdAt: label.createdAt.toISOString(),
});

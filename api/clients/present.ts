import type { Client } from '../../db/models/client.ts';

export const clientBody = (client: Client) => ({
  id: client.id,
  contactName: client.contactName,
  companyName: client.companyName,
  email: client.email,
  phone: client.phone,
  taxId: client.taxId,
  address: client.address,
  notes: client.notes,
  isActive: client.isActive,
  createdAt: client.createdAt.toISOString(),
  updatedAt: client.updatedAt.toISOString(),
});

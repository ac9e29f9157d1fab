import { newId } from '../../db/ids.ts';
import { Client } from '../../db/models/client.ts';
import { recordAudit } from '../../db/writes/record-audit.ts';
import { recordEvent } from '../../db/writes/record-event.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import { type Caller, memberActor } from '../../domain/caller.ts';
import { warningsOf } from '../../domain/warnings.ts';
import { withWarnings } from '../warnings.ts';
import { clientBody } from './present.ts';
import type { CreateClient } from './schema.ts';

/** Creates a client with its audit entry and event. */
export async function createClient(trx: TenantTransaction, caller: Caller, body: CreateClient) {
  const { tenantId, requestId } = caller;
  const client = await Client.query(trx).insertAndFetch({
    id: newId(),
    tenantId,
    contactName: body.contactName,
    companyName: body.companyName || null,
    email: body.email || null,
    phone: body.phone || null,
    taxId: body.taxId || null,
    address: body.address || null,
    country: body.country ?? null,
    locale: body.locale ?? null,
    notes: body.notes || null,
  });
  const { id, contactName, companyName } = client;
  await recordAudit(trx, memberActor(caller), {
    action: 'create',
    entity: 'client',
    entityId: id,
    metadata: { contactName, companyName },
  });
  await recordEvent(trx, {
    type: 'client.created',
    data: { client: { id, contactName, companyName, email: client.email, phone: client.phone } },
    requestId,
  });
  const response = clientBody(client, caller);
  return withWarnings(response, warningsOf(body, response.country));
}

/** Conditions of rows of `webhook_deliveries`, about what batches have in their hands. */

/** In a batch's hands. */
export const carried = (row: string): string =>
  `${row}.batch_id is not null and ${row}.left_batch_at is null and ${row}.status = 'PENDING'`;

/** A batch has deliveries for the row's webhook in its hands: what else comes for that webhook waits for it. */
export const webhookIsCarried = (row: string): string =>
  `exists (select from webhook_deliveries carried
            where carried.tenant_id = ${row}.tenant_id and carried.webhook_id = ${row}.webhook_id
              and ${carried('carried')})`;

import type { DeliveryRef, DeliveryResult } from './contract.ts';
import { deliveryActivities } from './policies.ts';

/**
 * One event for one webhook, until the endpoint took it or the attempts are used up. The attempts are retries of one
 * activity: the history stays a few events long, and the UI shows attempt, last failure and next try.
 */
export const deliverWebhook = (delivery: DeliveryRef): Promise<DeliveryResult> =>
  deliveryActivities.deliver.executeWithOptions({ summary: 'Llamar al endpoint hasta que conteste 2xx' }, [delivery]);

import type { FirstAttemptsInput, FirstAttemptsResult } from './contract.ts';
import { batch } from './policies.ts';

/**
 * The first attempts of many deliveries of one tenant, when more wait than Temporal would start runs for in time. What
 * is not delivered at once leaves for a `deliverWebhook` of its own, which the relay starts: so this one waits for
 * nothing, its history is a few events long, and losing it loses nothing that PostgreSQL does not know.
 */
export const deliverFirstAttempts = (input: FirstAttemptsInput): Promise<FirstAttemptsResult> =>
  batch.makeFirstAttempts.executeWithOptions({ summary: `Primer intento de ${input.deliveries.length} entregas` }, [
    input,
  ]);

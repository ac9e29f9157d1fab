import { continueAsNew, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import { quoteLabel } from '../domain/quote-drawing.ts';
import { reschedulingActivities } from './policies.ts';
import type { RescheduleInput, RescheduleResult } from './reschedule-start.ts';

/** A page is followed by a pause of its own length, within these bounds: other tenants' pages get their turn. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/**
 * After a settings change: signals the lifecycles of the tenant's SENT quotes, page by page, so that each reads the record
 * again and its reminder is timed anew.
 */
export async function rescheduleReminders({
  tenantId,
  eventId,
  after = 0,
  signalled = 0,
}: RescheduleInput): Promise<RescheduleResult> {
  for (;;) {
    setCurrentDetails(`- Cotizaciones avisadas: ${signalled}${after === 0 ? '' : `, hasta ${quoteLabel(after)}`}`);
    const startedAt = Date.now();
    const page = await reschedulingActivities.signalSentQuotes.executeWithOptions(
      {
        summary: after === 0 ? 'Avisar a las primeras cotizaciones' : `Avisar a las que siguen a ${quoteLabel(after)}`,
      },
      [{ tenantId, eventId, after }],
    );
    signalled += page.signalled;
    if (page.outcome !== 'more') return { outcome: page.outcome, signalled };
    ({ after } = page);
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof rescheduleReminders>({ tenantId, eventId, after, signalled });
    }
    const pauseMs = Math.min(Math.max(Date.now() - startedAt, MIN_PAUSE_MS), MAX_PAUSE_MS);
    await sleep(pauseMs, { summary: 'Pausa entre páginas' });
  }
}

import { newId } from '../../db/ids.ts';
import { cookieOf } from '../api/build.ts';
import type { Credential, Response } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { inTime } from '../in-time.ts';
import type { Installation } from './installation.ts';

/** A business created over HTTP by its owner. */
export interface Business {
  readonly tenantId: string;
  readonly slug: string;
  readonly owner: Credential;
  /** Of the owner, whose password is `PASSWORD`. */
  readonly email: string;
}

export const PASSWORD = 'una frase larga';

export interface Quote {
  readonly id: string;
  readonly quoteNumber: number;
  readonly clientEmail: string;
  /** Of the link to its page. */
  readonly publicToken: string;
  /** Id of its lifecycle workflow. */
  readonly workflowId: string;
}

export async function register(service: Installation): Promise<Business> {
  const email = `${newId()}@dueno.test`;
  const res = await service.http.post('/api/auth/register', {
    businessName: 'Muebles Roble',
    name: 'Diana Ríos',
    email,
    password: PASSWORD,
  });
  const { tenantId } = created(res).user;
  const [tenant] = await service.rows('select slug from tenants where id = $1', tenantId);
  return { tenantId, slug: String(tenant?.['slug']), owner: cookieOf(res.headers), email };
}

/** A quote for a new client, whose address may ask the inbox to fail: "reject+550". */
export async function makeQuote(
  { http }: Installation,
  { owner, slug }: Business,
  mailbox: string = newId(),
  domain = 'cliente.test',
  items: readonly object[] = [{ productName: 'Silla de roble', quantity: 2, unitPrice: 100 }],
): Promise<Quote> {
  const clientEmail = `${mailbox}@${domain}`;
  const client = created(await http.post('/api/clients', { contactName: 'Laura Méndez', email: clientEmail }, owner));
  const quote = created(await http.post('/api/quotes', { clientId: client.id, items }, owner));
  const { id, quoteNumber, publicToken } = quote;
  return { id, quoteNumber, publicToken, clientEmail, workflowId: `quote.${slug}.COT-${quoteNumber}` };
}

function created(res: Response) {
  if (res.status !== 201) throw new Error(`not created: ${res.status} ${JSON.stringify(res.body)}`);
  return res.body;
}

/** One call that shares the quote; on a busy machine it may end as `share_pending` before the outcome is known. */
export const shareOnce = ({ http }: Installation, { owner }: Business, quote: Quote): Promise<Response> =>
  http.post(`/api/quotes/${quote.id}/share`, undefined, owner);

/** Shares the quote as a caller should: while the response is `share_pending`, the call is repeated under its key. */
export async function share({ http }: Installation, { owner }: Business, quote: Quote): Promise<Response> {
  const headers = { ...owner, 'Idempotency-Key': newId() };
  return eventually(async () => {
    const response = await http.post(`/api/quotes/${quote.id}/share`, undefined, headers);
    if (response.body.code === 'share_pending') throw new Error('the outcome of the share is not known');
    return response;
  });
}

/** The response, if it comes within the ten seconds of a caller, in time of the API's process: see `inTime`. */
export const withinTenSeconds = <T>({ http }: Installation, answer: Promise<T>): Promise<T> =>
  inTime(10_000, answer, () => http.get('/healthz'));

/** Of Temporal's PendingActivityState: a worker has it. */
const STARTED = 2;

/**
 * Pending steps of the quote's share in Temporal, with their attempts and failures for the message of a test; none when it
 * does not share. Scheduling its expiry is no such step.
 */
export async function stepsOfShare({ temporal }: Installation, { workflowId }: Quote): Promise<readonly string[]> {
  const { raw } = await temporal.workflow.getHandle(workflowId).describe();
  const { pendingWorkflowTask: task, pendingActivities } = raw;
  const steps = (pendingActivities ?? [])
    .filter(({ activityType }) => activityType?.name !== 'planExpiry')
    .map(({ activityType, attempt, state, lastFailure }) =>
      [
        activityType?.name,
        attempt,
        Number(state) === STARTED ? 'given to a worker' : 'waiting',
        lastFailure?.message,
      ].join(' '),
    );
  return [...(task ? [`workflow task ${task.attempt}`] : []), ...steps];
}

export async function statusOf({ http }: Installation, { owner }: Business, quote: Quote): Promise<string> {
  const res = await http.get(`/api/quotes/${quote.id}`, owner);
  return String(res.body.status);
}

/** Mails to the client of this quote, newest first. */
export async function mailsTo({ parts }: Installation, quote: Quote) {
  const messages = await parts.inbox.messages();
  return messages.filter(({ to }) => to.includes(quote.clientEmail));
}

/** Types of the quote's events, oldest first. */
export async function eventsOf(service: Installation, quote: Quote): Promise<unknown[]> {
  const events = await service.rows('select type from outbox_events where quote_id = $1 order by sequence', quote.id);
  return events.map((event) => event['type']);
}

/** The quote's actions in the audit log, by name, because entries of one transaction have one time. */
export async function auditOf(service: Installation, quote: Quote): Promise<unknown[]> {
  const entries = await service.rows('select action from audit_logs where entity_id = $1 order by action', quote.id);
  return entries.map((entry) => entry['action']);
}

/** The execution of the quote's lifecycle, as audit entries and refusals refer to it. */
export async function runOf(
  { temporal }: Installation,
  { workflowId }: Quote,
): Promise<{ workflowId: string; runId: string }> {
  const { runId } = await temporal.workflow.getHandle(workflowId).describe();
  return { workflowId, runId };
}

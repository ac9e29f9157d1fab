import { newId } from '../../../db/ids.ts';
import type { AutomationAction } from '../../../domain/automation.ts';
import { queries } from '../../../workflows/contract.ts';
import { receiver, type Receiver } from '../../api/receiver.ts';
import { eventually } from '../../eventually.ts';
import { type Business, makeQuote, type Quote, register } from '../../journey/business.ts';
import type { Installation } from '../../journey/installation.ts';

/**
 * A business whose PATCH status to SENT has every kind of effect: three webhooks receive it; one automation labels,
 * notifies, reminds, mails and calls; another moves the quote on to WON, which the webhooks receive as well. Two
 * owners, so that notifications can be counted.
 */
export interface Subject {
  readonly business: Business;
  readonly quote: Quote;
  readonly userIds: { readonly creator: string; readonly owner: string };
  readonly receiver: Receiver;
  /** Ids of the automations: the one with five actions, and the one that moves the quote. */
  readonly automationIds: readonly [string, string];
  /** The next request to a webhook, or the next call of fire_webhook, is received and not answered. */
  hold(which: 'deliver' | 'fireWebhook'): Held;
}

export interface Held {
  /** Whether the receiver has it. */
  isHeld(): boolean;
  answer(): void;
}

export const PATHS = { webhooks: ['/uno', '/dos', '/tres'], fired: '/accion' } as const;

export async function prepareSubject(service: Installation): Promise<Subject> {
  const business = await register(service);
  const { http } = service;
  let holding: { readonly path: RegExp; held?: () => void } | undefined;
  const endpoint = await receiver((res, { path }) => {
    const answer = () => void res.end('ok');
    if (holding?.path.test(path) && !holding.held) holding.held = answer;
    else answer();
  });
  const made = async (path: string, body: object): Promise<string> => {
    const res = await http.post(path, body, business.owner);
    if (res.status !== 201) throw new Error(`${path}: ${res.status} ${JSON.stringify(res.body)}`);
    return String(res.body.id);
  };
  const url = (path: string) => new URL(path, endpoint.url).href;

  for (const path of PATHS.webhooks) await made('/api/webhooks', { url: url(path), events: ['quote.status_changed'] });
  const labelId = await made('/api/labels', { name: 'Enviada' });
  const automation = (name: string, actions: readonly AutomationAction[]) =>
    made('/api/automations', { name, trigger: 'QUOTE_SENT', actions });
  const five = await automation('Cinco acciones', [
    { type: 'add_label', labelId },
    { type: 'send_notification', title: 'Enviada', body: '{{quote.quoteNumber}}' },
    { type: 'create_reminder', delayMinutes: 0, message: 'Llamar' },
    { type: 'send_email', to: 'client', subject: 'Gracias', body: 'Hola {{client.contactName}}' },
    { type: 'fire_webhook', url: url(PATHS.fired), includeItems: true },
  ]);
  const move = await automation('Mover', [{ type: 'change_status', newStatus: 'WON' }]);

  const [creator] = await service.rows('select id from users where tenant_id = $1', business.tenantId);
  const owner = newId();
  await service.rows(
    "insert into users (id, tenant_id, email, name, role) values ($1, $2, $3, 'Olga', 'OWNER')",
    owner,
    business.tenantId,
    `${owner}@dueno.test`,
  );
  const quote = await makeQuote(service, business);
  await untilQuiet(service, business, quote);

  return {
    business,
    quote,
    userIds: { creator: String(creator?.['id']), owner },
    receiver: endpoint,
    automationIds: [five, move],
    hold(which) {
      const now: typeof holding = { path: which === 'deliver' ? /^\/(uno|dos|tres)$/ : /^\/accion$/ };
      holding = now;
      return { isHeld: () => now.held !== undefined, answer: () => now.held?.() };
    },
  };
}

/** Waits until all events so far are dispatched and the quote's lifecycle has read the record. */
async function untilQuiet(service: Installation, { tenantId }: Business, { workflowId }: Quote): Promise<void> {
  await eventually(async () => {
    const waiting = await service.rows(
      'select id from outbox_events where tenant_id = $1 and (fanned_out_at is null or dispatched_at is null)',
      tenantId,
    );
    if (waiting.length > 0) throw new Error(`${waiting.length} events wait for the dispatcher`);
    const state = await service.temporal.workflow.getHandle(workflowId).query<unknown>(queries.currentState);
    if (!state) throw new Error('the lifecycle does not know its quote');
  }, 40_000);
}

/** The PATCH status to SENT whose effects are tested. */
export async function send({ http }: Installation, { business, quote }: Subject): Promise<void> {
  const path = `/api/quotes/${quote.id}/status`;
  const res = await http.request('PATCH', path, { headers: business.owner, body: { status: 'SENT' } });
  if (res.status !== 200) throw new Error(`not sent: ${res.status} ${JSON.stringify(res.body)}`);
}

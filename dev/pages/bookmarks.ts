/**
 * Operators' frequent queries for Temporal's list of workflows. The table in docs/operations.md and the page /dev show
 * them; a test runs each of them.
 */

/** A placeholder in angle brackets, filled in by the user. */
export const BLANKS = ['tenantId', 'quoteId', 'quoteNumber', 'webhookId', 'automationId'] as const;
type Blank = (typeof BLANKS)[number] | 'now';

interface Bookmark {
  /** As the documents and the page show it. */
  readonly question: string;
  readonly title: string;
  readonly query: string;
}

const RUNNING = `ExecutionStatus = 'Running'`;

export const BOOKMARKS: readonly Bookmark[] = [
  {
    question: 'the whole story of a quote',
    title: 'Toda la historia de una cotización',
    query: `QuoteId = '<quoteId>'`,
  },
  {
    question: 'one quote by its number',
    title: 'Una cotización por su número',
    query: `TenantId = '<tenantId>' AND QuoteNumber = <quoteNumber>`,
  },
  {
    question: 'all of a business that is under way',
    title: 'Lo que un negocio tiene en curso',
    query: `TenantId = '<tenantId>' AND ${RUNNING}`,
  },
  {
    question: 'what a webhook has not got yet',
    title: 'Lo que un webhook aún no recibe',
    query: `WebhookId = '<webhookId>' AND ${RUNNING}`,
  },
  {
    question: 'deliveries of one kind of event',
    title: 'Entregas de un tipo de evento',
    query: `WorkflowType = 'deliverWebhook' AND EventType = 'quote.created'`,
  },
  {
    question: 'runs of an automation',
    title: 'Ejecuciones de una automatización',
    query: `AutomationId = '<automationId>'`,
  },
  {
    question: 'automations and reminders that wait for their time',
    title: 'Automatizaciones y recordatorios que esperan su hora',
    query: `WorkflowType IN ('runAutomation', 'remind', 'expiryReminder') AND ${RUNNING} AND DueAt > '<now>'`,
  },
  {
    question: 'overdue: should have gone on and has not',
    title: 'Atrasadas: debieron seguir y no lo han hecho',
    query: `${RUNNING} AND DueAt < '<now>'`,
  },
  {
    question: 'quotes that wait for their client',
    title: 'Cotizaciones que esperan a su cliente',
    query: `WorkflowType = 'quoteLifecycle' AND QuoteStatus = 'SENT' AND ${RUNNING}`,
  },
  {
    question: 'mails about accounts, answers and messages not out yet',
    title: 'Correos de cuentas que aún no salen',
    query: `WorkflowType = 'sendMail' AND ${RUNNING}`,
  },
  {
    question: 'bugs: every expected ending is a completed run',
    title: 'Fallas: todo final previsto es una ejecución completada',
    query: `ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated')`,
  },
];

/** The query with the known placeholders filled in; undefined while one is missing. */
export function filled(query: string, known: Readonly<Partial<Record<Blank, string>>>): string | undefined {
  let isWhole = true;
  const text = query.replace(/<(\w+)>/g, (blank, name: Blank) => {
    const value = known[name];
    // Ids, numbers and times consist of these; other characters could end the string around them.
    if (value !== undefined && /^[\w.:-]+$/.test(value)) return value;
    isWhole = false;
    return blank;
  });
  return isWhole ? text : undefined;
}

/** The page of Temporal's UI that lists what the query finds. */
export const listPage = (uiUrl: string, namespace: string, query: string): string => {
  const page = new URL(`/namespaces/${encodeURIComponent(namespace)}/workflows`, uiUrl);
  page.searchParams.set('query', query);
  return page.href;
};

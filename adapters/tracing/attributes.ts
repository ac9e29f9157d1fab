import type { Attributes } from '@opentelemetry/api';

/**
 * The facts of spans that may leave the process. Libraries add more, Temporal's among them whole search attributes and
 * memos, and messages of errors may quote anything: what is not named here stays here.
 */
const ALLOWED = new Set([
  // Ours.
  'http.request.method', 'http.route', 'http.response.status_code', 'server.address', 'error.type', 'request.id',
  'tenant.id', 'mail.stage', 'dispatcher.events',
  // Of the database's driver. Statements have placeholders for values, but for ids and integers.
  'db.system', 'db.name', 'db.statement',
  // Of Temporal: ids, which hold no words of people.
  'run_id', 'runId', 'temporalWorkflowId', 'temporalActivityId', 'temporalUpdateId', 'workflowId', 'workflowType',
  'taskQueue', 'attempt',
]); // prettier-ignore

export const allowed = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => ALLOWED.has(name)));

import { Context } from '@temporalio/activity';
import { WorkflowClient } from '@temporalio/client';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { Client as PostgresClient } from 'pg';

/**
 * Names the places that a worker or the API passes, and holds the process at requested ones. The drivers of PostgreSQL,
 * Temporal and SMTP are wrapped before the process is loaded; its own code is unchanged.
 *
 * A place is the beginning of a transaction, the moment before its commit reaches PostgreSQL, or the moment after it
 * was committed, of the n-th transaction of a step ("deliver 2 commit"), of the dispatcher's fan-out ("fan-out 1 begin") or of a
 * request ("request 3 commit"); the moment before and after a call of Temporal ("start runAutomation call",
 * "… answered"); the moment before and after the dispatcher's note of it is committed ("mark outbox_events commit", "…
 * committed"); and the moment before a step's mail is given to the mail server and after that took it ("sendQuoteMail
 * mailing", "… mailed").
 */
export type Gate = (passing: Passing) => Promise<void>;

export interface Passing {
  readonly place: string;
  /** The business it works for. */
  readonly tenantIds: readonly string[];
  /** The same for each attempt of a step, and for the dispatcher. */
  readonly who: string;
}

/** The number of the transaction within its work, and its business. */
export interface Step {
  readonly step: string;
  readonly who: string;
}

/** @param outside names the work of a transaction that belongs to no workflow step */
export function installHooks(gate: Gate, outside: (tenantId: string | undefined) => Step): void {
  const calledTenants = new Set<string>();
  watchTransactions(gate, calledTenants, outside);
  watchCalls(gate, calledTenants);
  watchMails(gate);
}

/** What is known of a connection's transaction. */
interface Open extends Step {
  /** Undefined for the dispatcher's role, which sees all tenants. */
  readonly tenantId: string | undefined;
  readonly isStep: boolean;
}

type Callback = (error: unknown, result?: unknown) => void;

function watchTransactions(
  gate: Gate,
  calledTenants: Set<string>,
  outside: (tenantId: string | undefined) => Step,
): void {
  const open = new WeakMap<PostgresClient, Open>();
  // Overloads cannot be wrapped as such; all arguments are passed on.
  const { query } = PostgresClient.prototype as unknown as { query: (...args: unknown[]) => unknown };

  async function pass(connection: PostgresClient, place: 'begin' | 'commit' | 'committed'): Promise<void> {
    const now = open.get(connection);
    if (!now) return;
    const { tenantId, step, who } = now;
    if (tenantId !== undefined) await gate({ place: `${step} ${place}`, tenantIds: [tenantId], who });
  }

  /** The dispatcher's mark is one statement, which commits by itself. */
  const passMark = (table: string, place: 'commit' | 'committed') =>
    gate({ place: `mark ${table} ${place}`, tenantIds: [...calledTenants], who: outside(undefined).who });

  /** Records the beginning of a transaction; a read outside of steps, such as that of a session, is no place. */
  function begin(connection: PostgresClient, text: string): void {
    const step = stepOfWorkflow();
    if (!step && /read only/i.test(text)) open.delete(connection);
    else open.set(connection, { tenantId: undefined, isStep: step !== undefined, ...(step ?? outside(undefined)) });
  }

  /** The tenant is named in the statement that begins the transaction, or in the next one. */
  function nameTenant(connection: PostgresClient, tenantId: string): void {
    const now = open.get(connection);
    if (now) open.set(connection, { ...now, tenantId, ...(!now.isStep && outside(tenantId)) });
    if (now?.isStep) tenants.set(now.who, tenantId);
  }

  async function end(connection: PostgresClient): Promise<void> {
    await pass(connection, 'committed');
    open.delete(connection);
  }

  /**
   * Completes when the last held statement of a connection may be sent: later statements wait for it, to keep their
   * order.
   */
  const turns = new WeakMap<PostgresClient, Promise<void>>();

  async function inTurn(
    connection: PostgresClient,
    args: readonly unknown[],
    { before, after }: { before: () => Promise<void>; after: () => Promise<void> },
  ): Promise<unknown> {
    const turn = (turns.get(connection) ?? Promise.resolve()).then(before);
    turns.set(connection, turn);
    await turn;
    const answer = query.apply(connection, [...args]);
    if (turns.get(connection) === turn) turns.delete(connection);
    const result = await answer;
    await after();
    return result;
  }

  const nothing = async () => undefined;

  PostgresClient.prototype.query = function watched(this: PostgresClient, ...args: unknown[]): unknown {
    const text = textOf(args[0]);
    const marked = /^update (\w+) set dispatched_at/.exec(text)?.[1];
    if (/^begin/i.test(text)) begin(this, text);
    const tenantId = /SET LOCAL app\.tenant_id = '([^']+)'/.exec(text)?.[1];
    if (tenantId !== undefined) nameTenant(this, tenantId);
    const isCommit = /^commit/i.test(text);
    const isPlace = (tenantId !== undefined || isCommit) && open.has(this);
    if (!isPlace && marked === undefined && !turns.has(this)) return query.apply(this, args);
    const around =
      marked === undefined
        ? {
            before: isPlace ? () => pass(this, isCommit ? 'commit' : 'begin') : nothing,
            after: isPlace && isCommit ? () => end(this) : nothing,
          }
        : {
            before: () => passMark(marked, 'commit'),
            after: async () => {
              await passMark(marked, 'committed');
              calledTenants.clear();
            },
          };
    const callback = args.at(-1);
    if (typeof callback !== 'function') return inTurn(this, args, around);
    const answer = callback as Callback;
    inTurn(this, args.slice(0, -1), around).then((result) => answer(null, result), answer);
    return undefined;
  } as typeof PostgresClient.prototype.query;
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  return typeof statement === 'object' && statement && 'text' in statement ? String(statement.text) : '';
}

const transactions = new WeakMap<Context, number>();
/** Of each step, from its first transaction on. */
const tenants = new Map<string, string>();

/** The step that runs here and the number of this transaction in it. */
function stepOfWorkflow(): Step | undefined {
  const context = currentContext();
  if (!context) return undefined;
  const count = (transactions.get(context) ?? 0) + 1;
  transactions.set(context, count);
  return { step: `${context.info.activityType} ${count}`, who: whoOf(context) };
}

const whoOf = ({ info: { workflowExecution, activityId } }: Context): string =>
  `${workflowExecution?.workflowId ?? ''} ${activityId}`;

function currentContext(): Context | undefined {
  try {
    return Context.current();
  } catch {
    return undefined;
  }
}

const CALLS = ['start', 'signalWithStart', 'executeUpdateWithStart'] as const;

interface Started {
  /** An update names its workflow elsewhere. */
  readonly workflowId?: string;
  readonly args: readonly unknown[];
}

function watchCalls(gate: Gate, calledTenants: Set<string>): void {
  // Each is generic over the workflow's type, which does not matter here.
  const calls = WorkflowClient.prototype as unknown as Record<
    (typeof CALLS)[number],
    (type: string, options: Started) => Promise<unknown>
  >;
  for (const name of CALLS) {
    const original = calls[name];
    calls[name] = async function watched(type, options) {
      const tenantId = tenantOf(options.args[0]);
      const passing = { tenantIds: [tenantId], who: options.workflowId ?? tenantId };
      await gate({ ...passing, place: `${name} ${type} call` });
      const result = await original.call(this, type, options);
      calledTenants.add(tenantId);
      await gate({ ...passing, place: `${name} ${type} answered` });
      return result;
    };
  }
}

/** The tenant in a workflow's input: its own, or its quote's. */
function tenantOf(input: unknown): string {
  const { tenantId, quote } = input as { tenantId?: string; quote?: { tenantId: string } };
  return tenantId ?? quote?.tenantId ?? '';
}

function watchMails(gate: Gate): void {
  const connections = SMTPConnection.prototype;
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the connection as `this`
  const { send } = connections;
  connections.send = function watched(envelope, message, done) {
    const context = currentContext();
    const tenantId = context && tenants.get(whoOf(context));
    if (!context || tenantId === undefined) return send.call(this, envelope, message, done);
    const passing = { tenantIds: [tenantId], who: whoOf(context) };
    void gate({ ...passing, place: `${context.info.activityType} mailing` }).then(() =>
      send.call(this, envelope, message, (error, info) => {
        if (error) done(error, info);
        else void gate({ ...passing, place: `${context.info.activityType} mailed` }).then(() => done(null, info));
      }),
    );
  };
}

import { each, type QuotingClient, unwrap } from '@quoting/client';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

interface Call {
  readonly context: IExecuteFunctions;
  readonly client: QuotingClient;
  /** Index of the input item. */
  readonly item: number;
  /** Idempotency key. */
  readonly key: string;
}
type Operation = (call: Call) => Promise<object | readonly object[]>;

const text = ({ context, item }: Call, name: string): string => context.getNodeParameter(name, item) as string; // of the parameters that are texts
/** Optional fields; empty ones are left out. */
const fields = ({ context, item }: Call): IDataObject => {
  const given: IDataObject = context.getNodeParameter('additionalFields', item, {});
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
};
const idempotent = ({ key }: Call) => ({ 'Idempotency-Key': key });
const byId = (call: Call, name: string) => ({ path: { id: text(call, name) } });

/** At most `limit` records, or all. */
async function taken<T>({ context, item }: Call, records: AsyncIterable<T>): Promise<T[]> {
  const isAll = context.getNodeParameter('returnAll', item);
  const limit = isAll ? Number.POSITIVE_INFINITY : context.getNodeParameter('limit', item);
  const found: T[] = [];
  for await (const record of records) {
    if (found.push(record) >= limit) break;
  }
  return found;
}

interface Line {
  readonly productName: string;
  readonly unitPrice: number;
  readonly quantity: number;
  readonly discountPct?: number;
}
function linesOf({ context, item }: Call): Line[] {
  const { line = [] } = context.getNodeParameter('items', item) as { line?: Line[] }; // a fixed collection
  return line;
}

const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  client: {
    create: (call) => {
      const body = { contactName: text(call, 'contactName'), ...fields(call) };
      return unwrap(call.client.POST('/api/v1/clients', { body, headers: idempotent(call) }));
    },
    get: (call) => unwrap(call.client.GET('/api/v1/clients/{id}', { params: byId(call, 'clientId') })),
    getAll: (call) => taken(call, each(call.client, '/api/v1/clients', { query: fields(call) })),
  },
  quote: {
    changeStatus: (call) => {
      // The service refuses other values.
      const body = { status: text(call, 'status') as 'SENT' | 'WON' | 'LOST' };
      return unwrap(call.client.PATCH('/api/v1/quotes/{id}/status', { params: byId(call, 'quoteId'), body }));
    },
    create: (call) => {
      const body = { clientId: text(call, 'clientId'), items: linesOf(call), ...fields(call) };
      return unwrap(call.client.POST('/api/v1/quotes', { body, headers: idempotent(call) }));
    },
    createFromTemplate: (call) => {
      const body = { templateId: text(call, 'templateId'), clientId: text(call, 'clientId'), ...fields(call) };
      const path = '/api/v1/connector/actions/create-from-template';
      return unwrap(call.client.POST(path, { body, headers: idempotent(call) }));
    },
    get: (call) => unwrap(call.client.GET('/api/v1/quotes/{id}', { params: byId(call, 'quoteId') })),
    getAll: (call) => taken(call, each(call.client, '/api/v1/quotes', { query: fields(call) })),
    share: (call) =>
      unwrap(
        call.client.POST('/api/v1/quotes/{id}/share', { params: byId(call, 'quoteId'), headers: idempotent(call) }),
      ),
  },
};

/** The function behind a choice of resource and operation. */
export function operationOf(resource: string, operation: string): (call: Call) => Promise<IDataObject | IDataObject[]> {
  const found = OPERATIONS[resource]?.[operation];
  if (!found) throw new Error(`no operation ${operation} of ${resource}`);
  // Answers are parsed JSON.
  return found as (call: Call) => Promise<IDataObject | IDataObject[]>;
}

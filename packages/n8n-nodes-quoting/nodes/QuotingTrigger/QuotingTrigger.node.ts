import { type EventType, QuotingError, unwrap, verifyWebhook, WebhookError } from '@quoting/client';
import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { clientOf, CREDENTIAL } from '../../client.ts';

/** The subscription of a workflow, kept with it. */
interface Subscription extends IDataObject {
  webhookId?: string;
  secret?: string;
}

const EVENTS: Readonly<Record<EventType, string>> = {
  'quote.created': 'Quote Created',
  'quote.status_changed': 'Quote Status Changed',
  'quote.sent': 'Quote Sent',
  'quote.viewed': 'Quote Viewed',
  'quote.accepted': 'Quote Accepted',
  'quote.rejected': 'Quote Rejected',
  'quote.changes_requested': 'Quote Changes Requested',
  'quote.version_created': 'Quote Version Created',
  'quote.expiring': 'Quote Expiring',
  'quote.expired': 'Quote Expired',
  'client.created': 'Client Created',
  'product.created': 'Product Created',
};

/** Starts a workflow on events, whose signatures it verifies. */
export class QuotingTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Quoting Trigger',
    name: 'quotingTrigger',
    icon: 'file:quoting.svg',
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when something happens to a quote, client or product',
    defaults: { name: 'Quoting Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: CREDENTIAL, required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: Object.entries(EVENTS).map(([value, name]) => ({ name, value })),
        default: ['quote.created'],
        required: true,
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId } = subscriptionOf(this);
        if (webhookId === undefined) return false;
        const client = await clientOf(this);
        try {
          await unwrap(client.GET('/api/v1/webhooks/{id}', { params: { path: { id: webhookId } } }));
          return true;
        } catch (error) {
          if (isGone(error)) return false;
          throw error;
        }
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const client = await clientOf(this);
        const url = this.getNodeWebhookUrl('default') ?? '';
        const events = this.getNodeParameter('events') as EventType[]; // the options above
        const { id, secret } = await unwrap(client.POST('/api/v1/webhooks', { body: { url, events } }));
        Object.assign(subscriptionOf(this), { webhookId: id, secret });
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const subscription = subscriptionOf(this);
        const { webhookId } = subscription;
        if (webhookId === undefined) return true;
        const client = await clientOf(this);
        try {
          await unwrap(client.DELETE('/api/v1/webhooks/{id}', { params: { path: { id: webhookId } } }));
        } catch (error) {
          if (!isGone(error)) throw error;
        }
        delete subscription.webhookId;
        delete subscription.secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret = '' } = subscriptionOf(this);
    try {
      const event = verifyWebhook({ secret, headers: this.getHeaderData(), body: await receivedBytes(this) });
      return { workflowData: [this.helpers.returnJsonArray({ ...event })] };
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      this.getResponseObject().status(400).send(error.message).end();
      return { noWebhookResponse: true };
    }
  }
}

const subscriptionOf = (context: IHookFunctions | IWebhookFunctions): Subscription =>
  context.getWorkflowStaticData('node');

const isGone = (error: unknown): boolean => error instanceof QuotingError && error.status === 404;

/** The signature covers the bytes, not the parsed body. */
async function receivedBytes(context: IWebhookFunctions): Promise<Uint8Array> {
  // n8n adds these to the request; its types do not name them.
  const request = context.getRequestObject() as unknown as { rawBody?: Uint8Array; readRawBody?(): Promise<void> };
  if (!request.rawBody) await request.readRawBody?.();
  return request.rawBody ?? new Uint8Array();
}

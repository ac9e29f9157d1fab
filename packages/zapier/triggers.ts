import { type EventType, unwrap, type WebhookEvent, type WebhookTestEvent } from '@quoting/client';
import { type Bundle, defineTrigger, type ZObject } from 'zapier-platform-core';
import { clientOf, resultOf } from './client.ts';

interface Text {
  readonly noun: string;
  readonly label: string;
  readonly description: string;
}
const text = (noun: string, label: string, description: string): Text => ({ noun, label, description });

const EVENTS: Readonly<Record<EventType, Text>> = {
  'quote.created': text('Quote', 'New Quote', 'Triggers when a quote is created.'),
  'quote.status_changed': text('Quote', 'Quote Status Changed', 'Triggers when the status of a quote changes.'),
  'quote.sent': text('Quote', 'Quote Sent', 'Triggers when a quote is mailed to its client.'),
  'quote.viewed': text('Quote', 'Quote Viewed', 'Triggers when the client opens a quote.'),
  'quote.accepted': text('Quote', 'Quote Accepted', 'Triggers when the client accepts a quote.'),
  'quote.rejected': text('Quote', 'Quote Rejected', 'Triggers when the client rejects a quote.'),
  'quote.changes_requested': text('Request', 'Changes Requested', 'Triggers when the client asks for changes.'),
  'quote.version_created': text('Quote', 'Quote Revised', 'Triggers when a quote gets a new version.'),
  'quote.expiring': text('Quote', 'Quote Expiring', 'Triggers a day before a quote expires.'),
  'quote.expired': text('Quote', 'Quote Expired', 'Triggers when a quote expires without an answer.'),
  'client.created': text('Client', 'New Client', 'Triggers when a client is created.'),
  'product.created': text('Product', 'New Product', 'Triggers when a product is created.'),
};

type Body = Exclude<WebhookEvent, WebhookTestEvent>;

/** The body of an event as Zapier's user sees it; Zapier needs an id. */
function recordOf({ event, timestamp, data }: Body) {
  const subject = 'quote' in data ? data.quote : 'client' in data ? data.client : data.product;
  return { ...data, id: `${event} ${subject.id} ${timestamp}`, event, timestamp };
}

const hookTrigger = (event: EventType, { noun, label, description }: Text) =>
  defineTrigger({
    key: event.replace('.', '_'),
    noun,
    display: { label, description },
    operation: {
      type: 'hook',
      performSubscribe: (z, bundle) => {
        const body = { targetUrl: bundle.targetUrl ?? '', event };
        return resultOf(z, unwrap(clientOf(z, bundle).POST('/api/v1/connector/hooks', { body })));
      },
      performUnsubscribe: (z, bundle) => {
        const path = { id: bundle.subscribeData?.id ?? '' };
        return resultOf(z, unwrap(clientOf(z, bundle).DELETE('/api/v1/connector/hooks/{id}', { params: { path } })));
      },
      perform: (_z, bundle) => [recordOf(bundle.cleanedRequest as Body)], // what the service sends
      performList: async (z, bundle) => {
        const request = clientOf(z, bundle).GET('/api/v1/connector/triggers/{event}/sample', {
          params: { path: { event } },
        });
        return (await resultOf(z, unwrap(request))).map((sample) => recordOf(sample as Body)); // bodies of that event
      },
    },
  });

/** Not shown: the choices of the field "template". */
const templates = defineTrigger({
  key: 'template',
  noun: 'Template',
  display: { label: 'Templates', description: 'Lists templates.', hidden: true },
  operation: {
    perform: (z: ZObject, bundle: Bundle) =>
      resultOf(z, unwrap(clientOf(z, bundle).GET('/api/v1/connector/actions/list-templates'))),
  },
});

/** One trigger for each event. */
export const triggers = Object.fromEntries(
  [
    ...Object.entries(EVENTS).map(([event, description]) => hookTrigger(event as EventType, description)), // its keys
    templates,
  ].map((trigger) => [trigger.key, trigger]),
);

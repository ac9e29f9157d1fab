import { SAMPLE_CLIENT, SAMPLE_PRODUCT, SAMPLE_QUOTE, SAMPLE_REQUEST } from './event-samples.ts';
import { quotePayload } from './events.ts';

/** What the rest of the service must know of an event type. */
interface EventDefinition {
  /** When it happens; for the API's document, which is in Spanish. */
  readonly description: string;
  /** Whether the lifecycle of its quote must read the quote again. */
  readonly signalsLifecycle: boolean;
  /** Whether a webhook can subscribe to it; then with `data` of a made-up event. */
  readonly subscribable: boolean;
  readonly sample?: object;
}

const generated = { quote: quotePayload(SAMPLE_QUOTE) };
const sent = { quote: quotePayload({ ...SAMPLE_QUOTE, status: 'SENT' }) };
const answeredAt = new Date('2026-12-15T18:30:00.000Z');
const signer = { signerName: 'Ana Torres', signerEmail: 'ana@example.com' };
const accepted = { quote: quotePayload({ ...SAMPLE_QUOTE, status: 'ACCEPTED', answeredAt, ...signer }) };
const rejected = {
  quote: quotePayload({
    ...SAMPLE_QUOTE,
    status: 'REJECTED',
    answeredAt,
    rejectionReason: 'Encontramos un mejor precio',
  }),
};

/** Every event type of the outbox. The order of the subscribable ones is that of the table in docs/guides/webhooks.md. */
export const EVENTS = {
  'quote.created': {
    description: 'Una cotización se creó, se duplicó o salió de una plantilla.',
    signalsLifecycle: true,
    subscribable: true,
    sample: generated,
  },
  'quote.status_changed': {
    description: 'Cambió el estado de una cotización, por quien sea.',
    signalsLifecycle: true,
    subscribable: true,
    sample: { ...sent, previousStatus: 'GENERATED' },
  },
  'quote.sent': {
    description: 'Una cotización se envió por correo a su cliente, cada vez.',
    signalsLifecycle: true,
    subscribable: true,
    sample: sent,
  },
  'quote.viewed': {
    description: 'El cliente vio una cotización en espera de respuesta; de cada quien, a lo más una vez por hora.',
    signalsLifecycle: true,
    subscribable: true,
    sample: sent,
  },
  'quote.accepted': {
    description: 'El cliente aceptó la cotización en su página. También cambia el estado.',
    signalsLifecycle: false,
    subscribable: true,
    sample: accepted,
  },
  'quote.rejected': {
    description: 'El cliente rechazó la cotización en su página. También cambia el estado.',
    signalsLifecycle: false,
    subscribable: true,
    sample: rejected,
  },
  'quote.changes_requested': {
    description: 'El cliente pidió cambios en su página; el estado sigue igual.',
    signalsLifecycle: false,
    subscribable: true,
    sample: { ...sent, request: SAMPLE_REQUEST },
  },
  'quote.version_created': {
    description: 'Una cotización se revisó: tiene una versión nueva.',
    signalsLifecycle: false,
    subscribable: true,
    sample: { quote: quotePayload({ ...SAMPLE_QUOTE, version: 2 }) },
  },
  'quote.expiring': {
    description: 'Una cotización enviada y sin respuesta vence en 24 horas; una vez por versión.',
    signalsLifecycle: false,
    subscribable: true,
    sample: sent,
  },
  'quote.expired': {
    description: 'Una cotización enviada venció sin respuesta; una vez por cada vigencia.',
    signalsLifecycle: false,
    subscribable: true,
    sample: sent,
  },
  'client.created': {
    description: 'Se agregó un cliente.',
    signalsLifecycle: false,
    subscribable: true,
    sample: { client: SAMPLE_CLIENT },
  },
  'product.created': {
    description: 'Se agregó un producto.',
    signalsLifecycle: false,
    subscribable: true,
    sample: { product: SAMPLE_PRODUCT },
  },
  'quote.revised': {
    description: 'Interno: cambió una cotización abierta o su vigencia.',
    signalsLifecycle: true,
    subscribable: false,
  },
  'tenant.settings_changed': {
    description: 'Interno: cambió la configuración del negocio.',
    signalsLifecycle: false,
    subscribable: false,
  },
  'mail.requested': {
    description: 'Interno: se pidió un correo, cuyo id es el del evento.',
    signalsLifecycle: false,
    subscribable: false,
  },
  'import.requested': {
    description: 'Interno: se pidió una importación, cuyo id es el del evento.',
    signalsLifecycle: false,
    subscribable: false,
  },
  'webhook.deleted': {
    description: 'Interno: se borró un webhook, al que ejecuciones en espera podrían aún llamar.',
    signalsLifecycle: false,
    subscribable: false,
  },
} as const satisfies Readonly<Record<string, EventDefinition>>;

export type EventType = keyof typeof EVENTS;
/** The event types to which webhooks can subscribe. */
export type SubscribableEvent = {
  [Type in EventType]: (typeof EVENTS)[Type]['subscribable'] extends true ? Type : never;
}[EventType];

// Object.keys() forgets the names of the table above.
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];
export const SUBSCRIBABLE_EVENTS = EVENT_TYPES.filter((type): type is SubscribableEvent => EVENTS[type].subscribable);

import type { Trigger } from './automation.ts';
import type { EventType } from './event-types.ts';
import type { NotificationType } from './notifications.ts';
import type { QuoteStatus } from './quote-status.ts';

/** The effects of an event: the automations that it triggers and the notifications that it creates. */

const STATUS_TRIGGERS: Readonly<Partial<Record<QuoteStatus, Trigger>>> = {
  SENT: 'QUOTE_SENT',
  WON: 'QUOTE_WON',
  LOST: 'QUOTE_LOST',
  ACCEPTED: 'QUOTE_ACCEPTED',
  REJECTED: 'QUOTE_REJECTED',
};
const EVENT_TRIGGERS: Readonly<Partial<Record<EventType, Trigger>>> = {
  'quote.created': 'QUOTE_CREATED',
  'quote.viewed': 'QUOTE_VIEWED',
  'quote.expiring': 'QUOTE_EXPIRING',
};

/** The trigger of an event, if any; `status` is the quote's status when the event happened. */
export const triggerOf = (type: EventType, status: QuoteStatus): Trigger | undefined =>
  type === 'quote.status_changed' ? STATUS_TRIGGERS[status] : EVENT_TRIGGERS[type];

/** The content of a notification about an event. */
export interface Notice {
  readonly type: NotificationType;
  readonly title: string;
}

const STATUS_NOTICES: Readonly<Partial<Record<QuoteStatus, Notice>>> = {
  WON: { type: 'quote_won', title: 'Cotización ganada' },
  LOST: { type: 'quote_lost', title: 'Cotización perdida' },
  ACCEPTED: { type: 'quote_accepted', title: 'Cotización aceptada por el cliente' },
  REJECTED: { type: 'quote_rejected', title: 'Cotización rechazada por el cliente' },
};
const EVENT_NOTICES: Readonly<Partial<Record<EventType, Notice>>> = {
  'quote.viewed': { type: 'quote_viewed', title: 'El cliente vio la cotización' },
  'quote.expiring': { type: 'quote_expiring', title: 'La cotización está por vencer' },
};

/** The notification for the quote's creator and the owners, if the event has one. */
export const noticeOf = (type: EventType, status: QuoteStatus): Notice | undefined =>
  type === 'quote.status_changed' ? STATUS_NOTICES[status] : EVENT_NOTICES[type];

/** Events that may create notifications, whatever webhooks and automations subscribe to. */
export const NOTICED_EVENTS = ['quote.status_changed', ...Object.keys(EVENT_NOTICES)] as const;

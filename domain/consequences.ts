import type { Trigger } from './automation.ts';
import type { EventType } from './events.ts';
import type { NotificationType } from './notifications.ts';
import type { QuoteStatus } from './quote-status.ts';

/** What follows from an event (decisions, section 6). */

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

/** Which automations an event triggers, if any; `status` is the quote's when it happened. */
export const triggerOf = (type: EventType, status: QuoteStatus): Trigger | undefined =>
  type === 'quote.status_changed' ? STATUS_TRIGGERS[status] : EVENT_TRIGGERS[type];

/** What members are told of an event. */
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

/** What the quote's creator and the owners are told of an event, if anything. */
export const noticeOf = (type: EventType, status: QuoteStatus): Notice | undefined =>
  type === 'quote.status_changed' ? STATUS_NOTICES[status] : EVENT_NOTICES[type];

/** Events after which members may be told something, whoever subscribed to what. */
export const NOTICED_EVENTS = ['quote.status_changed', ...Object.keys(EVENT_NOTICES)] as const;

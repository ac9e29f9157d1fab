import { type Html, html } from '../../domain/html.ts';
import type { NotificationType } from '../../domain/notifications.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { emptyState } from '../empty-state.ts';
import { moment } from '../figures.ts';
import { actionForm } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { listUrl, pagination } from '../pagination.ts';

interface Notification {
  readonly id: string;
  readonly type: NotificationType;
  readonly title: string;
  readonly body: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly readAt: string | null;
  readonly createdAt: string;
}

interface NotificationListView {
  readonly notifications: readonly Notification[];
  readonly unreadCount: number;
  readonly onlyUnread: boolean;
  readonly page: number;
  readonly hasMore: boolean;
  readonly form: FormState;
  readonly timeZone: TimeZone;
}

const PATH = '/app/notifications';
const TITLE = 'Notificaciones';

/** What happened to the user's quotes, newest first. */
export function notificationsPage(view: NotificationListView): { readonly title: string; readonly body: Html } {
  const { notifications, unreadCount, onlyUnread, page, hasMore, form } = view;
  const actions =
    unreadCount === 0 ? [] : [actionForm({ form, action: `${PATH}/read-all`, submit: 'Marcar todas como leídas' })];
  const url = (number: number) =>
    listUrl(PATH, { unread: onlyUnread ? 'true' : undefined, page: number === 1 ? undefined : number });
  const body = html`${heading(TITLE, { lead: unreadOf(unreadCount), actions })}
    <nav class="tabs" aria-label="Notificaciones que se muestran">
      <ul>
        <li><a href="${PATH}" ${onlyUnread ? null : html`aria-current="page"`}>Todas</a></li>
        <li><a href="${PATH}?unread=true" ${onlyUnread ? html`aria-current="page"` : null}>Sin leer</a></li>
      </ul>
    </nav>
    ${
      notifications.length === 0
        ? nothing(view)
        : html`<ol class="feed">
            ${notifications.map((each) => item(each, view))}
          </ol>`
    }
    ${pagination({ first: page > 1 ? url(1) : undefined, next: hasMore ? url(page + 1) : undefined })}`;
  return { title: TITLE, body };
}

function unreadOf(count: number): string {
  if (count === 0) return 'Está al día.';
  return count === 1 ? '1 sin leer' : `${count.toLocaleString('es-MX')} sin leer`;
}

function item(
  { id, title, body, metadata, readAt, createdAt }: Notification,
  { form, timeZone }: NotificationListView,
): Html {
  const { quoteId } = metadata;
  return html`<li class="feed-item ${readAt === null ? 'is-new' : ''}">
    <div>
      <h2>${readAt === null ? html`<span class="visually-hidden">Sin leer: </span>` : null}${title}</h2>
      <p>${body}</p>
      <p class="sub">${moment(createdAt, timeZone)}</p>
    </div>
    <div class="actions">
      ${
        typeof quoteId === 'string'
          ? html`<a class="button button-plain" href="/app/quotes/${encodeURIComponent(quoteId)}">Ver la cotización</a>`
          : null
      }
      ${readAt === null ? actionForm({ form, action: `${PATH}/${id}/read`, submit: 'Marcar como leída', style: 'button-quiet' }) : null}
    </div>
  </li>`;
}

const nothing = ({ onlyUnread }: NotificationListView): Html =>
  onlyUnread
    ? emptyState({
        title: 'No tiene notificaciones sin leer',
        text: 'Aquí aparecen las nuevas.',
        action: { label: 'Ver todas', href: PATH },
      })
    : emptyState({
        title: 'Todavía no hay notificaciones',
        text: 'Cuando un cliente abra, acepte o rechace una de sus cotizaciones, lo verá aquí.',
      });

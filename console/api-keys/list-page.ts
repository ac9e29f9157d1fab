import type { KeyScope } from '../../domain/caller.ts';
import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { confirmed } from '../confirm.ts';
import { emptyState } from '../empty-state.ts';
import { day, moment, until } from '../figures.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { table } from '../tables.ts';

interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly scope: KeyScope;
  readonly userId: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly lastUsedIp: string | null;
}

interface KeyListView {
  readonly keys: readonly Key[];
  readonly userId: string;
  readonly form: FormState;
  readonly timeZone: TimeZone;
  readonly now: Date;
}

const TITLE = 'Claves de API';
const NEW = { label: 'Nueva clave', href: '/app/api-keys/new' };
export const SCOPES: Readonly<Record<KeyScope, string>> = { full: 'Todo lo que usted puede', read: 'Solo consultar' };

/** The keys that the user may revoke. */
export function keyListPage(view: KeyListView): { readonly title: string; readonly body: Html } {
  const { keys } = view;
  const lead = html`Con una clave, otro sistema usa la <a href="/docs">API</a> en su nombre. Cree una por sistema: así
    puede revocarla sin afectar a los demás.`;
  const body =
    keys.length === 0
      ? html`${heading(TITLE, { lead })}
        ${emptyState({
          title: 'Todavía no hay claves',
          text: 'Cree la primera para conectar su contabilidad, su tienda o sus propios programas.',
          action: NEW,
        })}`
      : html`${heading(TITLE, { lead, actions: [html`<a class="button button-main" href="${NEW.href}">${NEW.label}</a>`] })}
        ${table(
          TITLE,
          [
            { label: 'Clave' },
            { label: 'Alcance' },
            { label: 'Último uso' },
            { label: 'Vence' },
            { label: 'Creada', isMinor: true },
            { label: 'Acciones' },
          ],
          keys.map((key) => ({ cells: cellsOf(key, view) })),
        )}`;
  return { title: TITLE, body };
}

function cellsOf(key: Key, { userId, form, timeZone, now }: KeyListView): readonly (Html | string)[] {
  const { id, name, prefix, last4, scope, createdAt, expiresAt, lastUsedAt, lastUsedIp } = key;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
  return [
    html`${name}<span class="sub"
        ><code>${prefix}…${last4}</code>${key.userId === userId ? null : ' · de otra persona'}</span
      >`,
    SCOPES[scope],
    lastUsedAt === null
      ? 'Nunca'
      : html`${moment(lastUsedAt, timeZone)}${lastUsedIp === null ? null : html`<span class="sub">${lastUsedIp}</span>`}`,
    isExpired
      ? html`<span class="chip chip-warn">Vencida</span>`
      : expiresAt === null
        ? 'Nunca'
        : until(expiresAt, timeZone),
    day(createdAt, timeZone),
    confirmed({
      form,
      action: `/app/api-keys/${id}/revoke`,
      label: 'Revocar',
      text: `Los sistemas que usan «${name}» dejarán de tener acceso en este momento. No se puede deshacer.`,
      submit: 'Revocar la clave',
    }),
  ];
}

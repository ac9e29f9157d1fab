import { type Html, html } from '../../domain/html.ts';
import type { Role } from '../../domain/permissions.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { moment } from '../figures.ts';
import { heading } from '../layout.ts';
import { table } from '../tables.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly invitedAt: string | null;
  readonly acceptedAt: string | null;
  readonly lastLoginAt: string | null;
}

interface TeamView {
  readonly people: readonly Person[];
  readonly userId: string;
  readonly timeZone: TimeZone;
}

const TITLE = 'Equipo';
export const ROLE_NAMES: Readonly<Record<Role, string>> = { OWNER: 'Dueño', COLLABORATOR: 'Colaborador' };

/** The people of the business. */
export function teamPage({ people, userId, timeZone }: TeamView): { readonly title: string; readonly body: Html } {
  const body = html`${heading(TITLE, {
    lead: 'Los dueños ven y administran todo. Los colaboradores cotizan y ven solo sus cotizaciones.',
    actions: [html`<a class="button button-main" href="/app/team/new">Invitar</a>`],
  })}
  ${table(
    TITLE,
    [{ label: 'Nombre' }, { label: 'Rol' }, { label: 'Estado' }, { label: 'Última entrada' }],
    people.map((person) => ({
      cells: [
        html`<a href="/app/team/${person.id}">${person.name}</a>${person.id === userId ? ' (usted)' : null}<span
            class="sub"
            >${person.email}</span
          >`,
        ROLE_NAMES[person.role],
        stateOf(person),
        person.lastLoginAt === null ? 'Nunca' : moment(person.lastLoginAt, timeZone),
      ],
    })),
  )}
  ${
    people.length > 1
      ? null
      : html`<p class="soft">
          Por ahora solo usted trabaja aquí. Invite a quien también cotiza: entra con su propia cuenta.
        </p>`
  }`;
  return { title: TITLE, body };
}

export function stateOf({ isActive, invitedAt, acceptedAt }: Person): Html {
  if (!isActive) return html`<span class="chip chip-bad">Desactivado</span>`;
  if (invitedAt !== null && acceptedAt === null) return html`<span class="chip chip-warn">Invitación pendiente</span>`;
  return html`<span class="chip chip-good">Activo</span>`;
}

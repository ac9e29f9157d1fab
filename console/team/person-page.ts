import { type Html, html } from '../../domain/html.ts';
import { ROLES } from '../../domain/permissions.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { day, moment } from '../figures.ts';
import { fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import type { FormState } from '../forms/form-state.ts';
import { heading } from '../layout.ts';
import { type Person, ROLE_NAMES, stateOf } from './list-page.ts';

interface PersonView {
  readonly person: Person;
  readonly isSelf: boolean;
  /** Active people who can take over the quotes. */
  readonly others: readonly Person[];
  readonly form: FormState;
  readonly transfer: FormState;
  readonly timeZone: TimeZone;
}

const LABELS = { name: 'Nombre', role: 'Rol', isActive: 'Puede entrar' };
const TRANSFER_LABELS = { toUserId: 'Quién las recibe' };

/** A person of the business: name, role, access, and the transfer of the quotes. */
export function personPage(view: PersonView): { readonly title: string; readonly body: Html } {
  const { person, form, isSelf } = view;
  const fields = fieldSet(form, LABELS);
  const path = `/app/team/${person.id}`;
  const body = html`${heading(person.name, { lead: html`${person.email} ${stateOf(person)}` })} ${facts(view)}
  ${formElement({
    form,
    action: path,
    labels: LABELS,
    submit: 'Guardar',
    cancel: '/app/team',
    body: html`<div class="card">
      <div class="grid">
        ${fields.text('name', { isRequired: true, maxlength: 100 })}
        ${fields.select(
          'role',
          ROLES.map((value) => ({ value, label: ROLE_NAMES[value] })),
          { isRequired: true, hint: 'Un dueño también ve las cotizaciones de los demás, los ajustes y el equipo.' },
        )}
      </div>
      ${fields.check('isActive', {
        hint: isSelf
          ? 'Si la quita, su propia sesión termina.'
          : 'Al quitarla sus sesiones y claves dejan de valer en este momento. Sus cotizaciones se conservan.',
      })}
    </div>`,
  })}
  ${transferForm(view)}`;
  return { title: person.name, body };
}

const facts = ({ person: { invitedAt, acceptedAt, lastLoginAt }, timeZone }: PersonView): Html => {
  const entries: [string, string | Html][] = [];
  if (invitedAt !== null) entries.push(['Invitación', day(invitedAt, timeZone)]);
  if (acceptedAt !== null) entries.push(['Aceptada', day(acceptedAt, timeZone)]);
  entries.push(['Última entrada', lastLoginAt === null ? 'Nunca' : moment(lastLoginAt, timeZone)]);
  return html`<dl class="facts">
    ${entries.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
};

function transferForm({ person, others, transfer }: PersonView): Html | null {
  if (others.length === 0) return null;
  const fields = fieldSet(transfer, TRANSFER_LABELS);
  return formElement({
    form: transfer,
    action: `/app/team/${person.id}/transfer`,
    labels: TRANSFER_LABELS,
    submit: 'Pasar las cotizaciones',
    body: html`<div class="card">
      <h2>Pasar sus cotizaciones a otra persona</h2>
      <p class="soft">Todas, abiertas y cerradas. Los clientes no notan el cambio.</p>
      ${fields.select(
        'toUserId',
        [{ value: '', label: 'Elija a una persona' }, ...others.map(({ id, name }) => ({ value: id, label: name }))],
        { isRequired: true },
      )}
    </div>`,
  });
}

import { type Html, html } from '../../../domain/html.ts';
import type { FieldSet } from '../../forms/fields.ts';
import { editButton } from './buttons.ts';
import type { ChosenClient, EditorView, FoundClients } from './view.ts';

const REGION = 'clientId';

/** Who the quote is for: the chosen client, or a search and the form of a new one. */
export function clientCard(view: EditorView, fields: FieldSet): Html {
  const { form, client, clients, action } = view;
  const message = form.errors.get('clientId');
  const isNewOpen =
    [...form.errors.keys()].some((name) => name.startsWith('newClient.')) ||
    (clients?.found.length === 0 && clients.search === '');
  return html`<section class="card" id="${REGION}" tabindex="-1" aria-labelledby="cliente-titulo" data-picks>
    <h2 id="cliente-titulo">Cliente</h2>
    ${message === undefined ? null : html`<p class="error" id="clientId-error">${message}</p>`}
    ${client ? chosen(client, view) : html`${search(view, fields)}${foundClients(clients, action)}${newClient(view, fields, isNewOpen)}`}
  </section>`;
}

const chosen = (client: ChosenClient, { action, lines }: EditorView): Html =>
  html`<input type="hidden" name="clientId" value="${client.id}" />
    <div class="editor-client">
      <p>
        <strong><bdi>${client.companyName ?? client.contactName}</bdi></strong>
        <span class="sub"
          >${[
            client.companyName === null ? null : client.contactName,
            client.email ?? 'Sin correo electrónico',
            client.language &&
              `Recibe todo en ${client.language.charAt(0).toLocaleLowerCase('es-MX')}${client.language.slice(1)}`,
          ]
            .filter(Boolean)
            .join(' · ')}</span
        >
      </p>
      ${editButton({ action, value: 'client-change', label: 'Cambiar', says: 'Cambiar de cliente', region: REGION, isFocused: lines.focus === REGION })}
    </div>`;

function search({ action, form, revised, lines }: EditorView, fields: FieldSet): Html {
  const typing = html`hx-get="/app/quotes/new/clients" hx-trigger="input changed delay:300ms"
  hx-vals="${JSON.stringify({ of: revised?.id ?? '' })}" hx-target="#clientes" hx-select="#clientes" hx-swap="outerHTML"`;
  return html`<input type="hidden" name="clientId" value="" />
    <div class="editor-search">
      ${fields.text('clientSearch', {
        type: 'search',
        maxlength: 200,
        isRequired: true,
        placeholder: 'Nombre, empresa o correo',
        isFocused: form.errors.size === 0 && form.refusal === undefined && lines.focus === undefined,
        attributes: typing,
      })}
      ${editButton({ action, value: 'client-search', label: 'Buscar', region: REGION })}
    </div>`;
}

/** The clients that match, each a button that chooses it. */
function foundClients(clients: FoundClients | undefined, action: string): Html {
  if (!clients) return html`<div id="clientes" aria-live="polite"></div>`;
  const { found, search: text } = clients;
  return html`<div id="clientes" aria-live="polite">
    ${
      found.length === 0
        ? html`<p class="soft">
            ${text === '' ? 'Todavía no hay clientes: registre aquí al primero.' : `Ningún cliente coincide con «${text}».`}
          </p>`
        : html`<ul class="picks" aria-label="${text === '' ? 'Clientes recientes' : 'Clientes encontrados'}">
            ${found.map(
              ({ id, contactName, companyName, email }) =>
                html`<li>
                  ${editButton({
                    action,
                    value: `client-pick.${id}`,
                    label: html`<span><bdi>${companyName ?? contactName}</bdi></span
                      ><span class="sub"
                        >${[companyName === null ? null : contactName, email].filter(Boolean).join(' · ')}</span
                      >`,
                    region: REGION,
                    style: 'pick',
                  })}
                </li>`,
            )}
          </ul>`
    }
  </div>`;
}

const newClient = ({ action, form }: EditorView, fields: FieldSet, isOpen: boolean): Html =>
  html`<details class="fold" id="cliente-nuevo" ${isOpen ? html`open` : null}>
    <summary>Cliente nuevo</summary>
    <input type="hidden" name="clientKey" value="${form.fields.get('clientKey')?.[0] ?? ''}" />
    <div class="grid">
      ${fields.text('newClient.contactName', { isRequired: true, maxlength: 200 })}
      ${fields.text('newClient.companyName', { maxlength: 200 })}
      ${fields.text('newClient.email', { type: 'email', maxlength: 254 })}
      ${fields.text('newClient.phone', { type: 'tel', maxlength: 40 })}
    </div>
    ${editButton({ action, value: 'client-create', label: 'Crear y elegir', region: REGION })}
  </details>`;

/** The matches alone, which htmx puts under the search. */
export const clientsPage = (clients: FoundClients, action: string) => ({
  title: 'Clientes',
  body: html`<h1>Clientes</h1>
    ${foundClients(clients, action)}`,
});

import { type Html, html } from '../domain/html.ts';
import type { TimeZone } from '../domain/zone.ts';
import { emptyState } from './empty-state.ts';
import { moment } from './figures.ts';
import { actionForm } from './forms/form.ts';
import { heading } from './layout.ts';

/** A step before the first quote is sent. */
export type StepName = 'company_info' | 'first_client' | 'first_quote' | 'first_share';

interface Figure {
  readonly label: string;
  readonly value: number;
  readonly href: string;
}

export interface StartView {
  readonly name: string;
  readonly isVerified: boolean;
  readonly steps: readonly { readonly name: StepName; readonly isDone: boolean }[];
  /** Counts of quotes that the user may see. */
  readonly figures: readonly Figure[];
  readonly news: readonly {
    readonly title: string;
    readonly body: string;
    readonly quoteId: string | null;
    readonly isRead: boolean;
    readonly createdAt: string;
  }[];
  readonly canCreate: boolean;
  readonly timeZone: TimeZone;
}

interface StepText {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly href: string;
}

const STEPS: Readonly<Record<StepName, StepText>> = {
  company_info: {
    title: 'Complete los datos de su negocio',
    text: 'Nombre, dirección y datos bancarios: aparecen en cada documento que recibe su cliente.',
    action: 'Completar los datos',
    href: '/app/settings/business',
  },
  first_client: {
    title: 'Registre a su primer cliente',
    text: 'Basta un nombre; con su correo podrá enviarle la cotización.',
    action: 'Registrar un cliente',
    href: '/app/clients/new',
  },
  first_quote: {
    title: 'Cree su primera cotización',
    text: 'Elija un cliente, agregue lo que ofrece y revise el total.',
    action: 'Crear la cotización',
    href: '/app/quotes/new',
  },
  first_share: {
    title: 'Envíela',
    text: 'Por correo o con un enlace. Aquí verá cuándo la abre y qué responde.',
    action: 'Ver las cotizaciones',
    href: '/app/quotes?status=GENERATED',
  },
};

/** The first page after the sign-in: what is left to do, the quotes in figures, and what happened last. */
export function startPage(view: StartView): { readonly title: string; readonly body: Html } {
  const title = 'Inicio';
  const isReady = view.steps.every(({ isDone }) => isDone);
  const actions =
    view.canCreate && isReady ? [html`<a class="button button-main" href="/app/quotes/new">Nueva cotización</a>`] : [];
  const body = html`${heading(`Hola, ${view.name}`, { actions })} ${view.isVerified ? null : unverified}
  ${isReady ? null : steps(view)} ${figures(view)} ${news(view)}`;
  return { title, body };
}

const unverified = html`<section class="notice notice-warn" aria-labelledby="sin-confirmar">
  <h2 id="sin-confirmar">Confirme su correo electrónico</h2>
  <p>Le enviamos un enlace. Hasta que lo abra, no puede enviar cotizaciones ni invitar a su equipo.</p>
  ${actionForm({ action: '/verify-email/resend', submit: 'Enviar el enlace otra vez' })}
</section>`;

function steps({ steps: all }: StartView): Html {
  const done = all.filter(({ isDone }) => isDone).length;
  const next = all.find(({ isDone }) => !isDone)?.name;
  return html`<section class="card" aria-labelledby="pasos">
    <div class="section-head">
      <h2 id="pasos">Hasta su primera cotización enviada</h2>
      <p class="soft">${done} de ${all.length}</p>
    </div>
    <ol class="steps">
      ${all.map(({ name, isDone }) => {
        const { title, text, action, href } = STEPS[name];
        return html`<li class="${isDone ? 'done' : ''}">
          <span class="step-mark" aria-hidden="true"></span>
          <div>
            <p class="step-title">${title}${isDone ? html` <span class="visually-hidden">(listo)</span>` : null}</p>
            ${isDone ? null : html`<p class="soft">${text}</p>`}
            ${name === next ? html`<a class="button button-main step-action" href="${href}">${action}</a>` : null}
          </div>
        </li>`;
      })}
    </ol>
  </section>`;
}

const figures = ({ figures: all }: StartView): Html | null =>
  all.length === 0
    ? null
    : html`<section aria-label="Sus cotizaciones">
        <ul class="figures">
          ${all.map(
            ({ label, value, href }) =>
              html`<li>
                <a class="figure" href="${href}"
                  ><span class="figure-value">${value.toLocaleString('es-MX')}</span>
                  <span class="figure-label">${label}</span></a
                >
              </li>`,
          )}
        </ul>
      </section>`;

function news({ news: all, timeZone }: StartView): Html {
  if (all.length === 0)
    return emptyState({
      title: 'Todavía no hay actividad',
      text: 'Cuando un cliente abra, acepte o rechace una cotización, lo verá aquí.',
    });
  return html`<section class="stack" aria-labelledby="actividad">
    <div class="section-head">
      <h2 id="actividad">Actividad reciente</h2>
      <a href="/app/notifications">Ver todas</a>
    </div>
    <ul class="feed">
      ${all.map(
        ({ title, body, quoteId, isRead, createdAt }) =>
          html`<li class="feed-item ${isRead ? '' : 'is-new'}">
            <div>
              <p class="news-title">
                ${quoteId === null ? title : html`<a href="/app/quotes/${quoteId}">${title}</a>`}${
                  isRead ? null : html` <span class="visually-hidden">(sin leer)</span>`
                }
              </p>
              <p>${body}</p>
            </div>
            <p class="soft">${moment(createdAt, timeZone)}</p>
          </li>`,
      )}
    </ul>
  </section>`;
}

import { type Html, html } from '../domain/html.ts';
import type { OnboardingStepName } from '../domain/onboarding.ts';
import type { TimeZone } from '../domain/zone.ts';
import { emptyState } from './empty-state.ts';
import { day } from './figures.ts';
import { actionForm } from './forms/form.ts';
import { heading } from './layout.ts';

interface StartView {
  readonly name: string;
  readonly isVerified: boolean;
  /** Of owners; a collaborator has none. */
  readonly steps: readonly { readonly name: OnboardingStepName; readonly completedAt: string | null }[];
  readonly news: readonly { readonly title: string; readonly body: string; readonly createdAt: string }[];
  readonly timeZone: TimeZone;
}

const STEPS: Readonly<Record<OnboardingStepName, { readonly title: string; readonly text: string }>> = {
  company_info: {
    title: 'Complete los datos de su negocio',
    text: 'Nombre, dirección y datos bancarios: aparecen en cada documento que recibe su cliente.',
  },
  first_quote: {
    title: 'Cree su primera cotización',
    text: 'Elija un cliente, agregue lo que ofrece y revise el total.',
  },
};

/** The first page after the sign-in: what is left to do, and what happened last. */
export function startPage(view: StartView): { readonly title: string; readonly body: Html } {
  const title = 'Inicio';
  const body = html`${heading(`Hola, ${view.name}`)} ${view.isVerified ? null : unverified} ${steps(view)} ${news(view)}`;
  return { title, body };
}

const unverified = html`<section class="notice notice-warn" aria-labelledby="sin-confirmar">
  <h2 id="sin-confirmar">Confirme su correo electrónico</h2>
  <p>Le enviamos un enlace. Hasta que lo abra, no puede enviar cotizaciones ni invitar a su equipo.</p>
  ${actionForm({ action: '/verify-email/resend', submit: 'Enviar el enlace otra vez' })}
</section>`;

function steps({ steps: all }: StartView): Html | null {
  if (all.every(({ completedAt }) => completedAt !== null)) return null;
  return html`<section class="card" aria-labelledby="pasos">
    <h2 id="pasos">Primeros pasos</h2>
    <ol class="steps">
      ${all.map(({ name, completedAt }) => {
        const isDone = completedAt !== null;
        return html`<li class="${isDone ? 'done' : ''}">
          <span class="step-mark" aria-hidden="true"></span>
          <div>
            <p class="step-title">
              ${STEPS[name].title}${isDone ? html` <span class="visually-hidden">(listo)</span>` : null}
            </p>
            ${isDone ? null : html`<p class="soft">${STEPS[name].text}</p>`}
          </div>
        </li>`;
      })}
    </ol>
  </section>`;
}

function news({ news: all, timeZone }: StartView): Html {
  if (all.length === 0)
    return emptyState({
      title: 'Todavía no hay actividad',
      text: 'Cuando un cliente abra, acepte o rechace una cotización, lo verá aquí.',
    });
  return html`<section class="card" aria-labelledby="actividad">
    <h2 id="actividad">Actividad reciente</h2>
    <ul class="news">
      ${all.map(
        ({ title, body, createdAt }) =>
          html`<li>
            <p class="news-title">${title}</p>
            <p>${body}</p>
            <p class="soft">${day(createdAt, timeZone)}</p>
          </li>`,
      )}
    </ul>
  </section>`;
}

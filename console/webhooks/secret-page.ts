import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { moment } from '../figures.ts';
import { heading } from '../layout.ts';
import { PATH } from './list-page.ts';

interface Secret {
  readonly id: string;
  readonly secret: string;
  /** After a rotation. */
  readonly previousValidUntil?: string;
}

/** The secret of a webhook, which is shown only once. */
export function secretPage(
  { id, secret, previousValidUntil }: Secret,
  timeZone: TimeZone,
): { readonly title: string; readonly body: Html } {
  const title = previousValidUntil === undefined ? 'Webhook creado' : 'Secreto nuevo';
  const lead =
    previousValidUntil === undefined
      ? 'Ya recibe los eventos que eligió.'
      : html`Hasta el ${moment(previousValidUntil, timeZone)} los envíos llevan también la firma con el anterior.`;
  const body = html`${heading(title, { lead })}
    <div class="card secret">
      <div class="field">
        <label class="label" for="webhook-secret">Secreto de firma</label>
        <p class="hint" id="webhook-secret-hint">
          Cópielo ahora y guárdelo en un lugar seguro: no se vuelve a mostrar. Con él su sistema comprueba que un envío
          es auténtico.
        </p>
        <input
          id="webhook-secret"
          class="code"
          readonly
          value="${secret}"
          aria-describedby="webhook-secret-hint"
          autofocus
        />
      </div>
      <div class="form-actions"><a class="button button-main" href="${PATH}/${id}">Ya lo guardé</a></div>
    </div>`;
  return { title, body };
}

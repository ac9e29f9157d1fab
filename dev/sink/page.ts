import { html } from '../../domain/html.ts';
import { devFrame } from '../pages/frame.ts';
import type { Sink, Verdict } from './calls.ts';

/** The page of a sink, for people who try webhooks on their own machine. */

const VERDICTS: Readonly<Record<Verdict, string>> = {
  valid: '✓ la firma es válida',
  invalid: '✘ la firma no corresponde',
  unsigned: 'sin firma',
  unknown: 'para comprobar la firma, diga el secreto del webhook',
};

export function sinkPage({ name, calls }: Sink): string {
  const path = `/dev/sink/${encodeURIComponent(name)}`;
  const shown = calls.map(
    ({ at, method, query, headers, body, status, signature }) =>
      html`<article>
        <h2>${headers['x-service-event'] ?? method} · ${at}</h2>
        <p class="${signature}">${VERDICTS[signature]} · contestado con ${status} ${query}</p>
        <pre>${indented(body)}</pre>
        <details>
          <summary>Encabezados</summary>
          <pre>
${Object.entries(headers)
  .map(([header, value]) => `${header}: ${value}`)
  .join('\n')}</pre>
        </details>
      </article>`,
  );
  return devFrame(`Sumidero ${name}`, [
    html`<h1>Sumidero «${name}»</h1>
      <p>
        Lo que llegó a este sumidero, lo más nuevo primero. Con <code>?status=500&amp;delay=6000</code> en la dirección
        del webhook contesta con error o tarde. <a href="${path}">Actualizar</a>
      </p>
      <form method="post" action="${path}/secret">
        <label class="wide">Secreto del webhook <input name="secret" autocomplete="off" required /></label>
        <button>Comprobar firmas</button>
      </form>`,
    ...(shown.length > 0 ? shown : [html`<p>Aún no ha llegado nada.</p>`]),
  ]);
}

export const namesPage = (names: readonly string[]): string =>
  devFrame('Sumideros', [
    html`<h1>Sumideros de webhooks</h1>
      <p>Cualquier nombre sirve: la dirección de un webhook puede ser <code>/dev/sink/mi-prueba</code>.</p>`,
    html`<ul>
      ${names.map((name) => html`<li><a href="/dev/sink/${encodeURIComponent(name)}">${name}</a></li>`)}
    </ul>`,
  ]);

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

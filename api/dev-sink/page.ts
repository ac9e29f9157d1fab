import { type Html, html } from '../../domain/html.ts';
import type { Sink, Verdict } from './calls.ts';

/** The page of a sink, for whoever tries out webhooks on the own machine. */

const VERDICTS: Readonly<Record<Verdict, string>> = {
  valid: '✓ la firma es válida',
  invalid: '✘ la firma no corresponde',
  unsigned: 'sin firma',
  unknown: 'para comprobar la firma, diga el secreto del webhook',
};

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b2430; }
  article { border-top: 1px solid #c9d1db; padding: 1rem 0; }
  pre { background: #f3f5f8; padding: .75rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
  .valid { color: #12662f; } .invalid { color: #a3130f; }
  input, button { font: inherit; padding: .5rem .75rem; }
`;

const frame = (title: string, content: readonly Html[]): string =>
  html`<!doctype html>
    <html lang="es-MX">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        ${content}
      </body>
    </html>`.toString();

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
  return frame(`Sumidero ${name}`, [
    html`<h1>Sumidero «${name}»</h1>
      <p>
        Lo que llegó a este sumidero, lo más nuevo primero. Con <code>?status=500&amp;delay=6000</code> en la dirección
        del webhook contesta con error o tarde. <a href="${path}">Actualizar</a>
      </p>
      <form method="post" action="${path}/secret">
        <label>Secreto del webhook <input name="secret" size="52" autocomplete="off" required /></label>
        <button>Comprobar firmas</button>
      </form>`,
    ...(shown.length > 0 ? shown : [html`<p>Aún no ha llegado nada.</p>`]),
  ]);
}

export const namesPage = (names: readonly string[]): string =>
  frame('Sumideros', [
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

import colors from 'picocolors';
import type { StackFile } from './stack-file.ts';

/** The texts for the person who has just started the stack. */

/** Addresses and logins. */
export function table({ api, docs, temporalUi, temporalAddress, inbox, demo }: StackFile): string {
  const rows = [
    ['Consola', `${api}/app`],
    ['API', `${api}/api`],
    ['Documentación', docs],
    ['Temporal', temporalUi === null ? temporalAddress : `${temporalUi}/namespaces/default/workflows`],
    ['Bandeja de correo', inbox ?? '(el servidor de SMTP_URL)'],
    ['Desarrollo', `${api}/dev`],
    ['Webhooks de prueba', `${api}/dev/sink`],
    ['Entrar (PRO)', `${demo.owner.email} / ${demo.owner.password}`],
    ['Entrar (FREE)', `${demo.free.email} / ${demo.free.password}`],
    ['Clave de API (PRO)', demo.apiKey],
  ] as const;
  return rows.map(([name, value]) => `  ${name.padEnd(20)} ${colors.cyan(value)}`).join('\n');
}

/** One command that creates a quote and shares it; prints the API's own message if either is refused. */
export function sampleCommand(api: string, apiKey: string, clientId: string): string {
  const authorization = `-H 'Authorization: Bearer ${apiKey}'`;
  const items = [{ productName: 'Mantenimiento anual', unitPrice: 1500, quantity: 2 }];
  const body = JSON.stringify({ clientId, items });
  return [
    `curl -sS -X POST ${api}/api/quotes ${authorization} -H 'Content-Type: application/json' -d '${body}' |`,
    `  node -p 'const quote = JSON.parse(fs.readFileSync(0)); quote.id ?? (console.error(quote), process.exit(1))' |`,
    `  xargs -I ID curl -sS -w '\\n' -X POST ${api}/api/quotes/ID/share ${authorization}`,
  ].join('\n');
}

export function nextSteps(dataFolder: string): string {
  return [
    `  npm run demo     crea y comparte una cotización paso a paso, y dice dónde verla`,
    `  npm run status   esta tabla (-- --json para programas)     npm run doctor   revisa este equipo`,
    `  npm run logs     lo que registran API y worker (-- --quote COT-1: lo de una cotización)`,
    `  Ctrl-C           detiene todo (desde otra terminal: npm run stop); los datos quedan en ${dataFolder}/`,
    `  npm run reset    borra los datos y empieza de nuevo`,
  ].join('\n');
}

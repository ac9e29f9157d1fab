import { ConfigError } from '../adapters/config.ts';
import { isAway } from '../adapters/temporal/status.ts';
import { isDatabaseUnavailable } from '../db/unavailable.ts';
import { type Command, CommandError, UsageError } from './commands/command.ts';

// Commands for operators: `npm run quoting -- <noun> <verb> …`. Exit codes: 0 done, 1 not done and why,
// 2 no such command or not its arguments.

interface Entry {
  /** As the usage shows them. */
  readonly args?: string;
  readonly about: string;
  /** Only the chosen one is loaded: some need what takes seconds to load. */
  readonly load: () => Promise<Command>;
}

const COMMANDS: Readonly<Record<string, Entry>> = {
  'audit verify': {
    args: '[<slug|id> [<hash>]]',
    about: 'comprueba los sellos de la bitácora de un negocio o de todos; <hash>: uno que se imprimió antes',
    load: () => import('./commands/audit-verify.ts'),
  },
  'files check': {
    about: 'compara los archivos de la base de datos con los del almacén, y los firmados con su huella',
    load: () => import('./commands/files-check.ts'),
  },
  reconcile: {
    about: 'arranca en Temporal lo que debería estar en curso y no lo está',
    load: () => import('./commands/reconcile.ts'),
  },
  replay: {
    args: '<workflowId> [runId]',
    about: 'repite una ejecución de Temporal en el código de esta copia: OK, o en qué evento ya no coincide',
    load: () => import('./commands/replay.ts'),
  },
  'history save': {
    args: '<workflowId> <nombre>',
    about: 'guarda la historia de una ejecución en tests/histories, entre las que repiten las pruebas',
    load: () => import('./commands/history-save.ts'),
  },
  'secrets make': {
    args: '[<archivo>|-]',
    about: 'escribe un .env completo para docker-compose.yml, con secretos nuevos; nunca encima de otro',
    load: () => import('./commands/secrets-make.ts'),
  },
  'secrets rotate': {
    about: 'vuelve a cifrar los secretos guardados con la primera de ENCRYPTION_KEYS, con el servicio en marcha',
    load: () => import('./commands/secrets-rotate.ts'),
  },
  'tenant create': {
    args: '<correo> <negocio> [PRO|FREE]',
    about: 'crea un negocio y a su dueño, e imprime el enlace con que elige su contraseña',
    load: () => import('./commands/tenant-create.ts'),
  },
  'tenant list': {
    about: 'los negocios: slug, plan, id, alta y nombre, separados por tabuladores',
    load: () => import('./commands/tenant-list.ts'),
  },
  'tenant plan': {
    args: '<slug|id> PRO|FREE',
    about: 'cambia el plan de un negocio; FREE detiene en el acto automatizaciones, webhooks y portal',
    load: () => import('./commands/tenant-plan.ts'),
  },
  'tenant disable': {
    args: '<slug|id>',
    about:
      'desactiva un negocio: sin acceso, claves, portal, automatizaciones, webhooks ni correos, hasta tenant enable',
    load: () => import('./commands/tenant-disable.ts'),
  },
  'tenant enable': {
    args: '<slug|id>',
    about: 'activa otra vez un negocio desactivado, con el plan que tenía',
    load: () => import('./commands/tenant-enable.ts'),
  },
  'tenant export': {
    args: '<slug|id> <carpeta>',
    about: 'escribe una carpeta nueva con las filas y los archivos de un negocio, sin secretos, y un manifiesto',
    load: () => import('./commands/tenant-export.ts'),
  },
  'tenant delete': {
    args: '<slug|id> [--confirm=<slug>]',
    about: 'borra un negocio: ejecuciones, filas y archivos; pide el slug; se repite si quedó a medias',
    load: () => import('./commands/tenant-delete.ts'),
  },
  'user list': {
    args: '<slug|id>',
    about: 'las personas de un negocio: correo, rol, estado, segundo factor, último acceso, id y nombre',
    load: () => import('./commands/user-list.ts'),
  },
  'user reset-link': {
    args: '<correo>',
    about: 'imprime un enlace para elegir otra contraseña; vale una vez y durante una hora',
    load: () => import('./commands/user-reset-link.ts'),
  },
  'user disable': {
    args: '<correo>',
    about: 'desactiva una cuenta, aunque sea del último dueño; sus sesiones y claves dejan de valer en el acto',
    load: () => import('./commands/user-disable.ts'),
  },
  'user two-factor-reset': {
    args: '<correo>',
    about: 'quita la verificación en dos pasos a quien la perdió, y le avisa por correo',
    load: () => import('./commands/user-two-factor-reset.ts'),
  },
};

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const found = find(words);
  if (!found) {
    say(`uso: npm run quoting -- <orden>\n\n${Object.keys(COMMANDS).map(usage).join('\n')}`);
    return 2;
  }
  try {
    if (found.entry.args === undefined && found.args.length > 0) throw new UsageError();
    const { run } = await found.entry.load();
    await run(found.args);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      say(`${error.message ? `${error.message}\n` : ''}uso: npm run quoting -- ${usage(found.name).trimStart()}`);
      return 2;
    }
    say(explain(error));
    return error instanceof CommandError ? error.exitCode : 1;
  }
}

/** The longest name wins: `tenant plan` is not `tenant` with an argument. */
function find(words: readonly string[]): { name: string; entry: Entry; args: readonly string[] } | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (entry && words.length >= length) return { name, entry, args: words.slice(length) };
  }
  return undefined;
}

function usage(name: string): string {
  const { args, about } = COMMANDS[name] ?? {};
  return `  ${[name, args].filter(Boolean).join(' ')}\n      ${about}`;
}

/** One sentence for an error that the operator can correct; anything else with its stack. */
function explain(error: unknown): string {
  if (error instanceof CommandError || error instanceof ConfigError) return error.message;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (isAway(error)) return `Temporal no responde.\n${detail}`;
  if (isDatabaseUnavailable(error)) return `PostgreSQL no responde.\n${detail}`;
  return detail;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

import { isLoopback } from './loopback.ts';
import { weakSecrets } from './weak-secrets.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Settings that prevent the start in their profile: their names, each with the reason; no values. */
export const unsafeSettings = (settings: Settings): readonly string[] =>
  settings['PROFILE'] === 'production'
    ? [...weakSecrets(settings), ...exposed(settings)]
    : settings['PROFILE'] === undefined
      ? []
      : beyondLoopback(settings);

/** Settings that would leave clients of a public service without protection. */
function exposed({ PUBLIC_URL, RATE_LIMITS }: Settings): readonly string[] {
  const isPlain = typeof PUBLIC_URL === 'string' && URL.canParse(PUBLIC_URL) && PUBLIC_URL.startsWith('http:');
  return [
    ...(isPlain && !isLoopback(new URL(PUBLIC_URL).hostname)
      ? ['  PUBLIC_URL: is http, so passwords and links would be sent unencrypted; only a loopback address may be http']
      : []),
    ...(RATE_LIMITS === 'off'
      ? ['  RATE_LIMITS: is off, which only the profiles embedded and test allow, for load tests']
      : []),
  ];
}

/** The other profiles have known logins. */
const beyondLoopback = (settings: Settings): readonly string[] =>
  ['HOST', 'METRICS_HOST'].flatMap((name) => {
    const host = settings[name];
    return typeof host !== 'string' || isLoopback(host)
      ? []
      : [`  ${name}: is no loopback address; a service for others needs the profile production`];
  });

import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { CommandError, print, UsageError } from './command.ts';

/**
 * Writes a complete `.env` for docker-compose.yml, with new random secrets; `-` prints it. An existing file stays: what
 * it holds may be the only copy of the keys that open stored data.
 */
export async function run(args: readonly string[]): Promise<void> {
  const [file = '.env', ...more] = args;
  if (more.length > 0) throw new UsageError();
  const settings = composeSettings();
  if (file === '-') return print(settings.trimEnd());
  if (existsSync(file))
    throw new CommandError(`${file} ya existe y no se toca: puede tener las únicas llaves de sus datos.`);
  // Fails where another process has just made it.
  writeFileSync(file, settings, { mode: 0o600, flag: 'wx' });
  print(
    `${file} escrito. Guarde una copia de ENCRYPTION_KEYS aparte y ponga sus direcciones en PUBLIC_URL y S3_PUBLIC_ENDPOINT.`,
  );
}

/** Letters and digits, for they stand in URLs. */
const secret = () => randomBytes(24).toString('hex');

const composeSettings = () => `# For docker-compose.yml. Keep it secret, and ENCRYPTION_KEYS in a second place as well.

# Origin that clients see (https, unless it is this machine), and the file storage as readers of PDF links reach it.
PUBLIC_URL=http://localhost:3000
S3_PUBLIC_ENDPOINT=http://localhost:8333

SESSION_SECRETS=${randomBytes(48).toString('base64url')}
# id:key, the key 32 random bytes in base64
ENCRYPTION_KEYS=k1:${randomBytes(32).toString('base64')}

# PostgreSQL takes these at its first start; later changes are made in it too.
POSTGRES_PASSWORD=${secret()}
DATABASE_OWNER_PASSWORD=${secret()}
DATABASE_APP_PASSWORD=${secret()}
DATABASE_DISPATCHER_PASSWORD=${secret()}
TEMPORAL_DATABASE_PASSWORD=${secret()}
S3_SECRET_ACCESS_KEY=${secret()}
STORAGE_INNER_KEY=${secret()}

# The mail server that really sends; empty: mails stay in the container "mail", http://localhost:8025
SMTP_URL=
MAIL_FROM=
`;

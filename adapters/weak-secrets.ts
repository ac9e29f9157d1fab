/** Settings that a production service does not start with: they look secret and are none. */

/** Different characters that 32 random ones have, and different bytes that a random key has, at the very least. */
const CHARACTERS = 10;
const BYTES = 18;

/** What images, examples and tutorials come with. */
const WELL_KNOWN = new Set([
  'admin',
  'changeme',
  'minio',
  'minio123',
  'minioadmin',
  'password',
  'postgres',
  'quoting',
  'root',
  'secret',
  'temporal',
  'test',
]);

type Settings = Readonly<Record<string, unknown>>;

/** Names of the weak ones, each with its reason; no values. */
export function weakSecrets(settings: Settings): readonly string[] {
  const text = (name: string): string => {
    const value = settings[name];
    return typeof value === 'string' ? value : '';
  };
  const complaints: string[] = [];
  const complain = (name: string, reason: string) => complaints.push(`  ${name}: ${reason}`);

  if (list(text('SESSION_SECRETS')).some((secret) => new Set(secret).size < CHARACTERS)) {
    complain('SESSION_SECRETS', 'one of them is not random (try: openssl rand -base64 48)');
  }
  for (const name of ['ENCRYPTION_KEYS', 'TEMPORAL_PAYLOAD_KEYS']) {
    const entries = list(text(name)).map((entry) => entry.split(':'));
    if (entries.some(([, key = '']) => new Set(Buffer.from(key, 'base64')).size < BYTES)) {
      complain(name, 'one of the keys is not random (try: openssl rand -base64 32)');
    }
    if (new Set(entries.map(([id]) => id)).size < entries.length) complain(name, 'two keys have the same id');
  }
  if (WELL_KNOWN.has(text('S3_SECRET_ACCESS_KEY').toLowerCase())) {
    complain('S3_SECRET_ACCESS_KEY', 'is one that everybody knows');
  }
  for (const name of ['DATABASE_URL', 'DATABASE_RELAY_URL', 'SMTP_URL']) {
    if (WELL_KNOWN.has(passwordOf(text(name)).toLowerCase()))
      complain(name, 'its password is one that everybody knows');
  }
  return complaints;
}

const list = (text: string): readonly string[] => text.split(',').filter(Boolean);

function passwordOf(url: string): string {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).password) : '';
}

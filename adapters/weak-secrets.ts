/** Settings that a production service does not start with: they look secret and are none. */

/** Different characters that 32 random ones have, and different bytes that a random key has, at the very least. */
const CHARACTERS = 10;
const BYTES = 18;
/** Characters of a database's password, and different ones among them, at the very least. */
const PASSWORD_CHARACTERS = 8;
const PASSWORD_VARIETY = 4;

/** What images, examples and tutorials come with. */
const WELL_KNOWN = new Set([
  '12345678',
  '123456789',
  '1234567890',
  'admin',
  'changeme',
  'changeit',
  'minio',
  'minio123',
  'minioadmin',
  'passw0rd',
  'password',
  'password1',
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

  for (const name of ['SESSION_SECRETS', 'CODEC_TOKEN']) {
    if (list(text(name)).some((secret) => new Set(secret).size < CHARACTERS)) {
      complain(name, 'one of them is not random (try: openssl rand -base64 48)');
    }
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
  for (const name of ['DATABASE_URL', 'DATABASE_RELAY_URL', 'DATABASE_ADMIN_URL']) {
    if (isTrivial(loginOf(text(name)))) {
      complain(name, 'its password is short, known to everybody or the name of its role (try: openssl rand -hex 24)');
    }
  }
  // Mail servers have rules of their own for passwords.
  if (WELL_KNOWN.has(loginOf(text('SMTP_URL')).password.toLowerCase())) {
    complain('SMTP_URL', 'its password is one that everybody knows');
  }
  return complaints;
}

const list = (text: string): readonly string[] => text.split(',').filter(Boolean);

interface Login {
  readonly username: string;
  readonly password: string;
}

/** No password at all is none that could be guessed: the server then asks for a certificate, or knows the machine. */
function isTrivial({ username, password }: Login): boolean {
  if (password === '') return false;
  const isShort = password.length < PASSWORD_CHARACTERS || new Set(password).size < PASSWORD_VARIETY;
  return isShort || password === username || WELL_KNOWN.has(password.toLowerCase());
}

function loginOf(url: string): Login {
  if (!URL.canParse(url)) return { username: '', password: '' };
  const { username, password } = new URL(url);
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

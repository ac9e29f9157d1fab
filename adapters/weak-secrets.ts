/** Values of secrets that a production service refuses because they are guessable. */

/** The fewest different characters of 32 random ones, and different bytes of a random key. */
const CHARACTERS = 10;
const BYTES = 18;
/** The fewest characters of a database password, and different ones among them. */
const PASSWORD_CHARACTERS = 8;
const PASSWORD_VARIETY = 4;

/** Values from images, examples and tutorials. */
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

/** The names of the weak ones, each with the reason; no values. */
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
    complain('S3_SECRET_ACCESS_KEY', 'is a well-known value');
  }
  for (const name of ['DATABASE_URL', 'DATABASE_DISPATCHER_URL', 'DATABASE_ADMIN_URL']) {
    if (isTrivial(loginOf(text(name)))) {
      complain(name, 'its password is short, well known or the name of its role (try: openssl rand -hex 24)');
    }
  }
  // Mail servers have their own rules for passwords.
  if (WELL_KNOWN.has(loginOf(text('SMTP_URL')).password.toLowerCase())) {
    complain('SMTP_URL', 'its password is a well-known value');
  }
  return complaints;
}

const list = (text: string): readonly string[] => text.split(',').filter(Boolean);

interface Login {
  readonly username: string;
  readonly password: string;
}

/** An empty password cannot be guessed: the server then requires a certificate, or trusts the host. */
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

import { createHash } from 'node:crypto';
import { newApiKey } from '../../../adapters/crypto/api-keys.ts';
import type { Exchange } from './recorder.ts';

/**
 * Replaces what differs between two runs of the story by values of the same form, which depend only on where they first
 * appear: an id is the same wherever it refers to the same record.
 */

/** The time zone of the story's business, which has no daylight saving time. */
const ZONE = 'America/Mexico_City';
const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 48 * HALF_HOUR_MS;
/** A key of this form is valid, and everybody sees that it is an example. */
const KEY = newApiKey('deadbeefdeadbeefdeadbeefdeadbeef');
/** A PNG of one pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();
const base32 = (bytes: Buffer): string =>
  Array.from(bytes, (byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(byte % 32)).join('');
const base36 = (bytes: Buffer): string => BigInt(`0x${bytes.toString('hex')}`).toString(36);

const dayOf = (ms: number): string => new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(ms);
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/** Anything that calls of the story may contain, with the reason to replace it. */
const VOLATILE = [
  ['image', /data:image\/\w+;base64,[\w+/=]{160,}/],
  ['url', /https?:\/\/127\.0\.0\.1:\d+\/[^\s"]*X-Amz-[^\s"]+/],
  ['secret', /whsec_[A-Za-z0-9+/]{43}=/],
  ['shownSecret', /whsec_••••[\w+/=]{4}/],
  ['sharedSecret', /(?<![\w-])[A-Z2-7]{32}(?![\w-])/],
  ['recoveryCode', /(?<![\w-])(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}(?![\w-])/],
  ['apiKey', /svc_[0-9a-f]{40}/],
  ['time', /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/],
  ['day', /(?<![\w-])\d{4}-\d\d-\d\d(?![\w-])/],
  ['longDay', /\d{1,2} de [a-z]+ de \d{4}/],
  ['uuid', /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/],
  ['sha256', /(?<![\w-])[0-9a-f]{64}(?![\w-])/],
  ['digest', /(?<![\w-])[0-9a-f]{16}(?:[0-9a-f]{16})?(?=\.\w+)/],
  ['token', /(?<![\w-])[\w-]{43}(?![\w=-])/],
  ['cuid', /(?<![A-Za-z0-9])c[a-z0-9]{24}(?![A-Za-z0-9])/],
] as const;
type Kind = (typeof VOLATILE)[number][0];

const ANY = new RegExp(VOLATILE.map(([kind, pattern]) => `(?<${kind}>${pattern.source})`).join('|'), 'g');

/** The address of all calls, and the one of the evidence: of a documentation network. */
const [LOOPBACK, CLIENT_ADDRESS] = ['127.0.0.1', '203.0.113.24'];

interface StableOptions {
  readonly exchanges: readonly Exchange[];
  /** Texts of this run, such as addresses of its servers, with what replaces them. */
  readonly literals: ReadonlyMap<string, string>;
  /** The same in every run: what looks volatile in it is not. */
  readonly constants: unknown;
}

/** Where a value is: the call, which says what time it was, and a name that every run has. */
export interface Place {
  readonly name: string;
  readonly exchange: Exchange;
}

export function createStable({
  exchanges,
  literals,
  constants,
}: StableOptions): (value: unknown, place: Place) => unknown {
  const known = new Map([...JSON.stringify(constants).matchAll(ANY)].map(([text]) => [text, text]));
  const used = new Map<string, number>();
  const [first] = exchanges;
  const shift = first ? dayNumber(dayOf(first.storyTime)) - dayNumber(dayOf(first.startedAt)) : 0;

  /** A name for the value that only its place decides. */
  const keyAt = (kind: Kind, place: string): string => {
    const key = `${kind} ${place}`;
    const count = used.get(key) ?? 0;
    used.set(key, count + 1);
    return count === 0 ? key : `${key} ${count}`;
  };

  /** A past time becomes that of the call in or after which it was. */
  const timeOf = (text: string, { exchange }: Place): string => {
    const ms = Date.parse(text);
    const endsDay = dayOf(ms) !== dayOf(ms + 1);
    if (endsDay) return new Date(ms + shift * DAY_MS).toISOString();
    if (ms > exchange.endedAt) {
      // Some half hours after an earlier call, which is not always this one: when a reminder is due.
      const distance = Math.round((ms - exchange.startedAt) / HALF_HOUR_MS) * HALF_HOUR_MS;
      return new Date(storyTimeOf(ms - distance, exchange) + distance).toISOString();
    }
    return new Date(storyTimeOf(ms, exchange)).toISOString();
  };
  const storyTimeOf = (ms: number, { storyTime }: Exchange): number =>
    exchanges.findLast(({ startedAt }) => startedAt <= ms)?.storyTime ?? storyTime;

  const replacementOf = (kind: Kind, text: string, place: Place): string => {
    const hash = () => hashOf(keyAt(kind, place.name));
    switch (kind) {
      case 'image':
        return PIXEL;
      case 'url':
        return storageUrl(text, place);
      case 'secret':
        return `whsec_EXAMPLEexampleEXAMPLEexampleEXAMPLE${base36(hash()).slice(0, 5)}0=`;
      case 'shownSecret':
        return text;
      case 'sharedSecret':
        return `EXAMPLE${base32(hash()).slice(0, 25)}`;
      case 'recoveryCode':
        return `EXAM-PLE${base32(hash()).slice(0, 9)}`.replace(/^(.{9})(.{4})/, '$1-$2-');
      case 'apiKey':
        return KEY.key;
      case 'time':
        return timeOf(text, place);
      case 'day':
        return new Date((dayNumber(text) + shift) * DAY_MS).toISOString().slice(0, 10);
      case 'longDay':
        return shiftedLongDay(text, shift);
      case 'uuid':
        return hash().toString('hex').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-7$3-8$4-$5'); // prettier-ignore
      case 'sha256':
        return hash().toString('hex');
      case 'digest':
        return hash().toString('hex').slice(0, text.length);
      case 'token':
        return `EXAMPLE-${hash().toString('base64url').slice(0, 35)}`;
      default:
        return `c${base36(hash()).slice(0, 24)}`;
    }
  };

  /**
   * A temporary link. Every link to a file becomes the first one, because links of the same second are equal, and a slow
   * run takes more seconds.
   */
  const storageUrl = (text: string, place: Place): string => {
    const url = new URL(text);
    const file = `${url.pathname} ${url.searchParams.get('response-content-disposition')}`;
    const shown = known.get(file) ?? firstStorageUrl(url, place);
    known.set(file, shown);
    return shown;
  };
  /** With the parts that its form has. */
  const firstStorageUrl = ({ pathname, searchParams }: URL, place: Place): string => {
    const key = stableText(decodeURIComponent(pathname).replace(/^\/[^/]+\//, ''), place);
    const moment = new Date(place.exchange.storyTime).toISOString().replace(/[-:]|\.\d+/g, '');
    const shown = new URLSearchParams();
    for (const [name, value] of searchParams) shown.set(name, stableParameter(name, value, moment, place));
    return `https://files.example.com/quoting/${key}?${shown.toString()}`;
  };
  const stableParameter = (name: string, value: string, moment: string, place: Place): string => {
    if (name === 'X-Amz-Credential') return `EXAMPLE/${moment.slice(0, 8)}/us-east-1/s3/aws4_request`;
    if (name === 'X-Amz-Date') return moment;
    return stableText(value, place);
  };

  const stableText = (text: string, place: Place): string => {
    let plain = text;
    for (const [from, to] of literals) plain = plain.replaceAll(from, to);
    const shown = plain.replace(ANY, (...found) => {
      const [match] = found;
      const groups = found.at(-1) as Readonly<Record<string, string | undefined>>;
      const kind = VOLATILE.find(([name]) => groups[name] !== undefined)?.[0] ?? 'cuid';
      // A time in the future may be another time of the story when another call returns it.
      const value = known.get(match) ?? replacementOf(kind, match, place);
      known.set(match, value);
      if (kind === 'secret') known.set(`whsec_••••${match.slice(-4)}`, `whsec_••••${value.slice(-4)}`);
      return value;
    });
    return shown.replaceAll(LOOPBACK, CLIENT_ADDRESS);
  };

  /** A cursor holds the time and the id of a record of this run. */
  const cursorOf = (cursor: string, { name }: Place): string => {
    const value = known.get(cursor) ?? hashOf(keyAt('token', name)).toString('base64url');
    known.set(cursor, value);
    return value;
  };

  const stable = (value: unknown, place: Place): unknown => {
    if (typeof value === 'string') return stableText(value, place);
    if (Array.isArray(value)) return value.map((item, index) => stable(item, inside(place, index)));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [
      name,
      isCursor(name, member) ? cursorOf(member, inside(place, name)) : stable(member, inside(place, name)),
    ]);
    return adjusted(Object.fromEntries(members));
  };
  return stable;
}

const isCursor = (name: string, value: unknown): value is string =>
  (name === 'cursor' || name === 'nextCursor') && typeof value === 'string';

const MONTHS = ['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio', 'julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre']; // prettier-ignore

/** "20 de diciembre de 2026", some days later. */
function shiftedLongDay(text: string, days: number): string {
  const [day = '', month = '', year = ''] = text.split(' de ');
  const date = new Date(Date.UTC(Number(year), MONTHS.indexOf(month), Number(day) + days));
  return `${date.getUTCDate()} de ${MONTHS[date.getUTCMonth()]} de ${date.getUTCFullYear()}`;
}

const inside = ({ name, exchange }: Place, member: string | number): Place => ({ name: `${name}/${member}`, exchange });

/** Members that depend on others, or measure time. */
function adjusted(value: Record<string, unknown>): Record<string, unknown> {
  const changed = { ...value };
  if (typeof changed['snapshot'] === 'string' && 'snapshotSha256' in changed)
    changed['snapshotSha256'] = createHash('sha256').update(changed['snapshot']).digest('hex');
  if (typeof changed['durationMs'] === 'number' && typeof changed['startedAt'] === 'string') {
    changed['durationMs'] = 184;
    changed['finishedAt'] = new Date(Date.parse(changed['startedAt']) + 184).toISOString();
  }
  if (typeof changed['code'] === 'string' && /^\d{6}$/.test(changed['code'])) changed['code'] = '492039';
  if (typeof changed['prefix'] === 'string' && typeof changed['last4'] === 'string')
    Object.assign(changed, { prefix: KEY.prefix, last4: KEY.last4 });
  return changed;
}

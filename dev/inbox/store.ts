import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser';
import { codeOf } from '../problem.ts';

/** Received mails: each a file `<id>.eml` exactly as it came, and next to it `<id>.json` with its envelope. */

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

export interface Message {
  readonly id: string;
  /** When the server took it, ISO 8601. */
  readonly at: string;
  readonly from: string;
  /** The envelope's recipients: who really got it. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly messageId: string | null;
  /** Names in lower case; a header that came twice holds both, one a line. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly { readonly filename: string; readonly contentType: string; readonly size: number }[];
}

export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

const ID = /^[0-9]{13}-[0-9a-f]{8}$/;

export class MailStore {
  readonly #folder: string;
  // Parsing decodes every attachment; a list page would do it for each mail again.
  readonly #parsed = new Map<string, Message>();
  #lastMs = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async open(): Promise<void> {
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Keeps a mail; it is on the disk when this returns. */
  async add(raw: Buffer, envelope: Envelope): Promise<string> {
    // Ids sort by arrival, also of mails that come within one millisecond.
    this.#lastMs = Math.max(Date.now(), this.#lastMs + 1);
    const id = `${this.#lastMs}-${randomBytes(4).toString('hex')}`;
    await this.#write(`${id}.json`, JSON.stringify(envelope));
    // The .eml makes the mail visible, so it comes last.
    await this.#write(`${id}.eml`, raw);
    return id;
  }

  /** Newest first. */
  async list(): Promise<Message[]> {
    const names = (await fs.readdir(this.#folder)).filter((name) => name.endsWith('.eml'));
    const ids = names.map((name) => path.basename(name, '.eml')).filter((id) => ID.test(id));
    const messages = await Promise.all(
      ids
        .sort()
        .reverse()
        .map((id) => this.get(id)),
    );
    return messages.filter((message) => message !== undefined);
  }

  async get(id: string): Promise<Message | undefined> {
    const known = this.#parsed.get(id);
    if (known) return known;
    const mail = await this.#parse(id);
    if (!mail) return undefined;
    const message = describe(id, mail, await this.#envelope(id));
    this.#parsed.set(id, message);
    return message;
  }

  /** The mail as it came over the wire. */
  async source(id: string): Promise<Buffer | undefined> {
    if (!ID.test(id)) return undefined;
    return unlessMissing(fs.readFile(path.join(this.#folder, `${id}.eml`)));
  }

  async attachment(id: string, index: number): Promise<Attachment | undefined> {
    const found = (await this.#parse(id))?.attachments[index];
    if (!found) return undefined;
    return { filename: nameOf(found.filename, index), contentType: found.contentType, content: found.content };
  }

  async clear(): Promise<void> {
    this.#parsed.clear();
    const names = await fs.readdir(this.#folder);
    await Promise.all(names.map((name) => fs.rm(path.join(this.#folder, name), { force: true })));
  }

  async #parse(id: string): Promise<ParsedMail | undefined> {
    const source = await this.source(id);
    return source && simpleParser(source);
  }

  async #envelope(id: string): Promise<Envelope | undefined> {
    const text = await unlessMissing(fs.readFile(path.join(this.#folder, `${id}.json`), 'utf8'));
    // Written by add().
    return text === undefined ? undefined : (JSON.parse(text) as Envelope);
  }

  async #write(name: string, content: string | Buffer): Promise<void> {
    const file = path.join(this.#folder, name);
    await fs.writeFile(`${file}.tmp`, content, { mode: 0o600, flush: true });
    await fs.rename(`${file}.tmp`, file);
  }
}

function describe(id: string, mail: ParsedMail, envelope: Envelope | undefined): Message {
  const headers: Record<string, string> = {};
  for (const { key, line } of mail.headerLines) {
    const value = line
      .slice(line.indexOf(':') + 1)
      .replaceAll(/\r?\n\s+/g, ' ')
      .trim();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}\n${value}`;
  }
  return {
    id,
    at: new Date(Number(id.slice(0, 13))).toISOString(),
    from: mail.from?.text ?? envelope?.from ?? '',
    to: envelope?.to ?? addressesOf(mail.to),
    subject: mail.subject ?? '',
    messageId: mail.messageId ?? null,
    headers,
    text: mail.text ?? null,
    html: mail.html || null,
    attachments: mail.attachments.map(({ filename, contentType, size }, index) => ({
      filename: nameOf(filename, index),
      contentType,
      size,
    })),
  };
}

const nameOf = (filename: string | undefined, index: number) => filename ?? `adjunto-${index + 1}`;

function addressesOf(to: AddressObject | AddressObject[] | undefined): string[] {
  return [to ?? []].flat().flatMap(({ value }) => value.flatMap(({ address }) => address ?? []));
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

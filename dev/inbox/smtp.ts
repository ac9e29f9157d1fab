import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { MailStore } from './store.ts';

/** The mail server. It keeps every mail, unless its mode or a recipient's address asks for trouble. */

/**
 * - `accept`: keeps what it gets
 * - `reject`: answers 550 to every recipient
 * - `hang`: takes connections and then says nothing
 * - `drop-after-data`: keeps the mail, then cuts the line without an answer, so the sender cannot know
 */
export const MODES = ['accept', 'reject', 'hang', 'drop-after-data'] as const;
export type Mode = (typeof MODES)[number];

const MAX_BYTES = 25 << 20;

// reject+550@… is refused with that code every time, defer+2@… is put off twice and then taken.
const TROUBLE = /^(?:reject\+(?<code>[45]\d\d)|defer\+(?<times>\d{1,3}))@/i;

export class Refusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

/** Builds the server, not yet listening. `mode` is asked anew at every step. */
export function createSmtpServer(store: MailStore, mode: () => Mode): { server: SMTPServer; cut: () => void } {
  const deferrals = new Map<string, number>();
  const sockets = new Set<Socket>();

  function refusalOf(address: string): Refusal | undefined {
    if (mode() === 'reject') return new Refusal(550, '5.1.1 mailbox unavailable');
    const { code, times } = TROUBLE.exec(address)?.groups ?? {};
    if (code !== undefined) return new Refusal(Number(code), `${code[0]}.1.1 refused, as the address asks`);
    if (times === undefined) return undefined;
    const before = deferrals.get(address) ?? 0;
    deferrals.set(address, before + 1);
    return before < Number(times) ? new Refusal(451, '4.7.1 try again later, as the address asks') : undefined;
  }

  async function keep(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array)); // a stream of bytes
    if (stream.sizeExceeded) throw new Refusal(552, '5.3.4 message too big');
    const { mailFrom, rcptTo } = session.envelope;
    return store.add(Buffer.concat(chunks), {
      from: mailFrom ? mailFrom.address : '',
      to: rcptTo.map(({ address }) => address),
    });
  }

  const server = new SMTPServer({
    name: 'inbox.localhost',
    banner: 'development inbox',
    authOptional: true,
    // Takes any login, so that the same client settings work here.
    onAuth: (_auth, _session, answer) => answer(null, { user: 'anyone' }),
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: MAX_BYTES,
    closeTimeout: 1_000,
    onConnect(_session, answer) {
      if (mode() !== 'hang') answer();
    },
    onRcptTo({ address }, _session, answer) {
      if (mode() === 'hang') return;
      answer(refusalOf(address));
    },
    onData(stream, session, answer) {
      keep(stream, session).then(
        (id) => {
          if (mode() === 'drop-after-data') return cut();
          if (mode() !== 'hang') answer(null, `2.0.0 stored as ${id}`);
        },
        (error: unknown) => answer(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  server.on('error', () => undefined); // a client that went away in the middle
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { server, cut };
}

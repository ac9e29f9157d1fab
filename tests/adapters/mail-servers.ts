import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail server that a test started. */
export interface MailServer {
  readonly url: string;
  /** Connections that were opened to it. */
  readonly connections: () => number;
  stop(): Promise<void>;
}

/** A real SMTP server that keeps what it takes; `behaviour` changes single steps of it. */
export async function smtpServer(behaviour: SMTPServerOptions = {}) {
  const received: { mail: ParsedMail; raw: string; recipients: string[] }[] = [];
  const secured: boolean[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onConnect(_session, callback) {
      connections += 1;
      callback();
    },
    onData(stream, session, callback) {
      secured.push(session.secure);
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks);
        void simpleParser(raw).then((mail) => {
          received.push({ mail, raw: raw.toString(), recipients: session.envelope.rcptTo.map((to) => to.address) });
          callback();
        });
      });
    },
    ...behaviour,
  });
  // A client that hangs up in the middle is what some of these tests are about.
  server.on('error', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    connections: () => connections,
    /** For each mail that came, whether over TLS. */
    secured: () => secured,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

/** A server that is only a script: for conversations that no proper server would hold. */
export async function scriptedServer(onConnection: (socket: Socket, heard: () => string) => void): Promise<MailServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => {});
    onConnection(socket, () => text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    connections: () => connections,
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Says yes to everything up to DATA, then leaves the rest to `onBody`, called with each piece of the message. */
export const untilTheBody = (onBody: (socket: Socket, body: string) => void) =>
  scriptedServer((socket, heard) => {
    socket.write('220 ready\r\n');
    let answered = 0;
    socket.on('data', () => {
      const [commands = '', body] = heard().split(/DATA\r\n/);
      const lines = commands.split('\r\n').length - 1;
      while (answered < lines) {
        socket.write('250 ok\r\n');
        answered += 1;
      }
      if (body === '') socket.write('354 go ahead\r\n');
      else if (body) onBody(socket, body);
    });
  });

import { once } from 'node:events';
import type net from 'node:net';
import path from 'node:path';
import { freePorts } from '../ports.ts';
import { createInboxHttp } from './http.ts';
import { createSmtpServer, type Mode } from './smtp.ts';
import { MailStore, type Message } from './store.ts';

/** A mail server whose mails stay on this machine, with a page to read them. Runs in the calling process. */

export interface InboxOptions {
  readonly dataDir: string;
  readonly smtpPort?: number;
  readonly httpPort?: number;
}

export interface Inbox {
  readonly smtpUrl: string;
  /** The page. */
  readonly url: string;
  /** The list of messages as JSON. */
  readonly apiUrl: string;
  readonly messages: () => Promise<Message[]>;
  readonly clear: () => Promise<void>;
  readonly setMode: (mode: Mode) => void;
  readonly stop: () => Promise<void>;
}

export async function startInbox(options: InboxOptions): Promise<Inbox> {
  const store = new MailStore(path.join(path.resolve(options.dataDir), 'mail'));
  await store.open();
  const [free = 0, otherFree = 0] = await freePorts(2);
  const smtpPort = options.smtpPort ?? free;
  const httpPort = options.httpPort ?? otherFree;

  let mode: Mode = 'accept';
  const setMode = (next: Mode) => {
    mode = next;
    cut(); // a connection kept from before would not meet the new mode
  };
  const { server: smtp, cut } = createSmtpServer(store, () => mode);
  const web = createInboxHttp({ store, getMode: () => mode, setMode });

  await listen(smtp.server, smtpPort);
  try {
    await listen(web, httpPort);
  } catch (error) {
    smtp.close();
    throw error;
  }
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    url: `http://127.0.0.1:${httpPort}`,
    apiUrl: `http://127.0.0.1:${httpPort}/api/messages`,
    messages: () => store.list(),
    clear: () => store.clear(),
    setMode,
    stop: async () => {
      cut();
      web.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(() => resolve())),
        new Promise<void>((resolve) => web.close(() => resolve())),
      ]);
    },
  };
}

async function listen(server: net.Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

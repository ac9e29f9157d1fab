import { setTimeout as sleep } from 'node:timers/promises';
import { readPdf } from '../adapters/pdf-text.ts';
import type { Installation } from '../installation.ts';
import type { MarkedBusiness } from './canary-world.ts';

/** An artifact as text. */
export interface Artifact {
  readonly what: string;
  readonly text: string;
}

/** The mails to anyone of that business: headers, both bodies and the text of the PDF. */
export async function mailsOf({ parts }: Installation, { word }: MarkedBusiness): Promise<readonly Artifact[]> {
  const { inbox } = parts;
  const mails = (await inbox.messages()).filter(({ to }) => to.some((address) => address.includes(word)));
  return Promise.all(
    mails.map(async ({ id }) => {
      // The inbox's content of a mail; the list omits the bodies.
      const mail = (await (await fetch(`${inbox.apiUrl}/${id}`)).json()) as {
        readonly subject: string;
        readonly attachments: readonly { readonly contentType: string }[];
      };
      const files = await Promise.all(
        mail.attachments.map(async ({ contentType }, i) => {
          const bytes = Buffer.from(await (await fetch(`${inbox.apiUrl}/${id}/attachments/${i}`)).arrayBuffer());
          return contentType === 'application/pdf' ? (await readPdf(bytes)).text : '';
        }),
      );
      return { what: `mail «${mail.subject}»`, text: [JSON.stringify(mail), ...files.map(joined)].join('\n') };
    }),
  );
}

/** The quote's PDF as the owner and the client get it. */
export async function documentsOf({ http }: Installation, business: MarkedBusiness): Promise<readonly Artifact[]> {
  const paths = [`/api/quotes/${business.quoteId}/pdf`, `/p/${business.secrets.publicToken}/pdf`];
  const answers = await Promise.all(paths.map((path) => http.get(path, path.startsWith('/api') ? business.owner : {})));
  return Promise.all(
    answers.map(async ({ bytes }, i) => ({ what: `PDF ${paths[i]}`, text: joined((await readPdf(bytes)).text) })),
  );
}

/** The client's page and its data. */
export async function pagesOf({ http }: Installation, { secrets }: MarkedBusiness): Promise<readonly Artifact[]> {
  const paths = [`/p/${secrets.publicToken}`, `/api/portal/${secrets.publicToken}`];
  const answers = await Promise.all(paths.map((path) => http.get(path)));
  return answers.map(({ bytes }, i) => ({ what: `page ${paths[i]}`, text: bytes.toString() }));
}

/** Joins a long word that a PDF breaks over two rows. */
const joined = (text: string): string => `${text} ${text.replaceAll(/\s/g, '')}`;

/** Every execution in Temporal: its description and its whole history, with payloads as text. */
export async function historiesOf({ temporal }: Installation): Promise<readonly Artifact[]> {
  const artifacts: Artifact[] = [];
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    const handle = temporal.workflow.getHandle(workflowId, runId);
    const { raw } = await handle.describe();
    artifacts.push({ what: `run ${workflowId}`, text: `${readable(raw)} ${readable(await handle.fetchHistory())}` });
  }
  return artifacts;
}

const readable = (value: unknown): string => JSON.stringify(plain(value));

/** Own members only: a message's toJSON would encode its payloads in base64, in which no word is found. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

/** The log lines of API and worker so far, including buffered ones (`FLUSH_MS` in adapters/log.ts). */
export async function logLines({ processes }: Pick<Installation, 'processes'>): Promise<readonly Artifact[]> {
  await sleep(300);
  return Object.entries(processes).flatMap(([name, process]) =>
    process
      .output()
      .split('\n')
      .filter((line) => line !== '')
      .map((text) => ({ what: name, text })),
  );
}

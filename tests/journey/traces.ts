import { setTimeout as sleep } from 'node:timers/promises';
import { readPdf } from '../adapters/pdf-text.ts';
import type { Installation } from '../installation.ts';
import type { MarkedBusiness } from './canary-world.ts';

/** Something that left the service, as text. */
export interface Artifact {
  readonly what: string;
  readonly text: string;
}

/** The mails to anybody of that business, each with its headers, both bodies and what its PDF says. */
export async function mailsOf({ parts }: Installation, { word }: MarkedBusiness): Promise<readonly Artifact[]> {
  const { inbox } = parts;
  const mails = (await inbox.messages()).filter(({ to }) => to.some((address) => address.includes(word)));
  return Promise.all(
    mails.map(async ({ id }) => {
      // What the inbox keeps of a mail; the list leaves the bodies out.
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

/** The quote's PDF as the owner and as the client get it. */
export async function documentsOf({ http }: Installation, business: MarkedBusiness): Promise<readonly Artifact[]> {
  const paths = [`/api/quotes/${business.quoteId}/pdf`, `/p/${business.secrets.publicToken}/pdf`];
  const answers = await Promise.all(paths.map((path) => http.get(path, path.startsWith('/api') ? business.owner : {})));
  return Promise.all(
    answers.map(async ({ bytes }, i) => ({ what: `PDF ${paths[i]}`, text: joined((await readPdf(bytes)).text) })),
  );
}

/** The client's page and what stands behind it. */
export async function pagesOf({ http }: Installation, { secrets }: MarkedBusiness): Promise<readonly Artifact[]> {
  const paths = [`/p/${secrets.publicToken}`, `/api/portal/${secrets.publicToken}`];
  const answers = await Promise.all(paths.map((path) => http.get(path)));
  return answers.map(({ bytes }, i) => ({ what: `page ${paths[i]}`, text: bytes.toString() }));
}

/** A long word that a PDF breaks over two rows is one word again. */
const joined = (text: string): string => `${text} ${text.replaceAll(/\s/g, '')}`;

/** Every run that Temporal knows: its description and its whole history, payloads as they can be read. */
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

/** Own members only: a message's toJSON would write its payloads in base64, in which no word is found. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

/** What API and worker wrote so far, line by line; also lines not yet written (`FLUSH_MS` in adapters/log.ts). */
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

import { createHash } from 'node:crypto';
import assert from 'node:assert/strict';
import { newId } from '../../db/ids.ts';
import { cookieOf } from '../api/build.ts';
import type { Credential } from '../api/service.ts';
import { eventually } from '../eventually.ts';
import { type Business, PASSWORD } from '../journey/business.ts';
import { type Installation, installation } from '../journey/installation.ts';

/** Received mails, by their recipients. */

export type Mail = Awaited<ReturnType<Installation['parts']['inbox']['messages']>>[number];

/** The mails to an address, oldest first, when there are that many. */
export async function mailsTo(address: string, count: number): Promise<readonly Mail[]> {
  const { parts } = await installation();
  return eventually(async () => {
    const mails = (await parts.inbox.messages()).filter(({ to }) => to.includes(address));
    assert.equal(mails.length, count, mails.map(({ subject }) => subject).join());
    return mails.toReversed();
  });
}

/** The address of the button in a client's mail. */
export function linkIn({ html }: Mail): string {
  const [, link] = /<a\s[^>]*href="([^"]+\/p\/[\w-]{43})"/.exec(html ?? '') ?? [];
  assert.ok(link, html ?? '');
  return link;
}

/** The one PDF of a mail. */
export async function pdfIn({ id, attachments }: Mail): Promise<Buffer> {
  const { parts } = await installation();
  const pdfs = attachments.flatMap(({ contentType }, index) => (contentType === 'application/pdf' ? [index] : []));
  assert.equal(pdfs.length, 1);
  return Buffer.from(await (await fetch(`${parts.inbox.apiUrl}/${id}/attachments/${pdfs[0]}`)).arrayBuffer());
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A collaborator who joined by the link of the mailed invitation. */
export async function colleague({ owner }: Business): Promise<{ email: string; as: Credential }> {
  const { http } = await installation();
  const email = `${newId()}@colaborador.test`;
  assert.equal((await http.post('/api/collaborators', { email, name: 'Carlos Vela' }, owner)).status, 201);
  const [invitation] = await mailsTo(email, 1);
  const [, token] = /\?token=([\w-]{43})\n/.exec(invitation?.text ?? '') ?? [];
  const { status, headers } = await http.post('/api/auth/accept-invitation', { token, password: PASSWORD });
  assert.equal(status, 200);
  return { email, as: cookieOf(headers) };
}

import sharp from 'sharp';
import { png } from '../adapters/image-files.ts';
import type { Credential, Service } from './service.ts';

/** Files to attach, as users and attackers make them. */

/** A PDF of about this many bytes; `mark` makes its content unique. */
export const pdf = ({
  bytes = 600,
  mark = '',
  trailer = '',
}: { bytes?: number; mark?: string; trailer?: string } = {}) =>
  Buffer.from(
    `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n` +
      `%${mark}${'x'.repeat(Math.max(0, bytes - 300))}\ntrailer\n<< /Size 3 /Root 1 0 R ${trailer} >>\nstartxref\n9\n%%EOF\n`,
  );

/** A JPEG with a position and a camera in its metadata. */
export const photo = (): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } })
    .jpeg()
    .withExif({ IFD0: { Make: 'CamaraSecreta' } })
    .toBuffer();

export const image = (): Promise<Buffer> => png({ width: 60, height: 40 });

/** The form of an upload. */
export function form(file: Buffer | string, name = 'plano.pdf', type = 'application/pdf'): FormData {
  const data = new FormData();
  data.set('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)], { type }), name);
  return data;
}

export interface Attached {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- each test asserts the shape it expects
}

/** Uploads like a browser. */
export async function attach(
  app: Pick<Service, 'url'>,
  as: Credential,
  quoteId: string,
  body: FormData = form(pdf()),
): Promise<Attached> {
  const res = await fetch(`${app.url}/api/quotes/${quoteId}/attachments`, { method: 'POST', headers: as, body });
  return { status: res.status, headers: res.headers, body: await res.json() };
}

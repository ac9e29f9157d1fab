import type { PermitRequest } from '../../adapters/fair-queue.ts';
import { PdfFailed } from '../../adapters/pdf/failure.ts';
import type { Signature } from '../../db/models/signature.ts';
import { unavailable } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';

export const dataUrl = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;

/** Draws a name as a signature and returns a data URL. */
export async function writtenSignature(pdf: Deps['pdf'], text: string, permit: PermitRequest): Promise<string> {
  try {
    return dataUrl(await pdf.writtenMark(text, permit));
  } catch (error) {
    throw error instanceof PdfFailed ? unavailable(error) : error;
  }
}

/** The signature with an image as its data. Older typed signatures store only the text, or nothing for the name. */
export async function withImage(pdf: Deps['pdf'], signature: Signature): Promise<Signature & { data: string }> {
  const { tenantId, data, signerName } = signature;
  if (data?.startsWith('data:')) return Object.assign(signature, { data });
  const image = await writtenSignature(pdf, data ?? signerName, { key: tenantId });
  return Object.assign(signature, { data: image, typedText: data });
}

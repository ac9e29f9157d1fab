import { ImageRefused } from '../../adapters/images/images.ts';
import { signatureImageInvalid } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { dataUrl, writtenSignature } from '../quotes/written-signature.ts';
import type { AcceptQuote } from './schema.ts';

const LIMIT_BYTES = 512 * 1024;
const DATA_URL = /^data:image\/(?:png|jpeg|jpg);base64,([A-Za-z0-9+/]+={0,2})$/;

/** A signature as it is stored. */
export interface StoredSignature {
  readonly type: 'drawn' | 'typed';
  /** A data URL of a PNG. */
  readonly data: string;
  readonly typedText: string | null;
}

/**
 * Re-encodes the image as a PNG; for a typed signature draws the text or, without one, the name. Throws a 400 for
 * anything else.
 */
export async function storedSignature(
  { images, pdf }: Pick<Deps, 'images' | 'pdf'>,
  tenantId: string,
  { signature: given, signerName }: Pick<AcceptQuote, 'signature' | 'signerName'>,
): Promise<StoredSignature> {
  if (given?.type !== 'drawn') {
    const typedText = given?.data || null;
    const permit = { key: tenantId, wait: 'always' } as const;
    return { type: 'typed', data: await writtenSignature(pdf, typedText ?? signerName, permit), typedText };
  }
  const [, base64] = DATA_URL.exec(given.data) ?? [];
  if (base64 === undefined) throw signatureImageInvalid(NOT_AN_IMAGE);
  const image = Buffer.from(base64, 'base64');
  if (image.length > LIMIT_BYTES) throw signatureImageInvalid('debe pesar como máximo 512 kB');
  try {
    const png = await images.signature(image, { key: tenantId, wait: 'always' });
    return { type: 'drawn', data: dataUrl(png), typedText: null };
  } catch (error) {
    throw error instanceof ImageRefused ? signatureImageInvalid(NOT_AN_IMAGE) : error;
  }
}

const NOT_AN_IMAGE = 'debe ser una imagen PNG o JPEG con la firma';

import { ImageRefused, type Images } from '../../adapters/images/images.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { SignatureInput } from './schema.ts';

const LIMIT_BYTES = 512 * 1024;
const DATA_URL = /^data:image\/(?:png|jpeg|jpg);base64,([A-Za-z0-9+/]+={0,2})$/;

/** A signature as it is stored. */
export interface StoredSignature {
  readonly type: 'drawn' | 'typed';
  readonly data: string | null;
}

/** The image drawn anew as a PNG, or the text that was typed. A 400 that names the member for anything else. */
export async function storedSignature(
  images: Images,
  tenantId: string,
  given: SignatureInput | undefined,
): Promise<StoredSignature> {
  if (given?.type !== 'drawn') return { type: 'typed', data: given?.data ?? null };
  const [, base64] = DATA_URL.exec(given.data) ?? [];
  if (base64 === undefined) throw refused(NOT_AN_IMAGE);
  const image = Buffer.from(base64, 'base64');
  if (image.length > LIMIT_BYTES) throw refused('debe pesar como máximo 512 kB');
  try {
    const png = await images.signature(image, { key: tenantId, wait: 'always' });
    return { type: 'drawn', data: `data:image/png;base64,${png.toString('base64')}` };
  } catch (error) {
    throw error instanceof ImageRefused ? refused(NOT_AN_IMAGE) : error;
  }
}

const NOT_AN_IMAGE = 'debe ser una imagen PNG o JPEG con la firma';
const refused = (message: string) => invalidInput([{ path: 'signature.data', message }]);

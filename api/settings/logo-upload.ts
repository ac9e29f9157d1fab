import { logoTooLarge, noFile } from '../../domain/errors.ts';
import type { Upload } from '../read-upload.ts';

const MEGABYTE = 1024 * 1024;

/** The form with a logo, of the API and of the console. */
export const LOGO_UPLOAD: Upload = { field: 'logo', maxBytes: 2 * MEGABYTE, missing: noFile, tooLarge: logoTooLarge };

import { opaqueImage } from './opaque-png.ts';
import type { PdfFile } from './pdf-file.ts';
import { type Png, readPng } from './png.ts';

declare global {
  namespace PDFKit.Mixins {
    // Documented by pdfkit, missing in its published types.
    interface PDFImage {
      openImage(file: Buffer): OpenedImage;
      image(image: OpenedImage, x: number, y: number, options: ImageOption): this;
    }
    interface OpenedImage {
      /** Its name on the pages that show it; read once it is in the document. */
      readonly label: string;
      readonly width: number;
      readonly height: number;
      /** In the document, once it was drawn. */
      obj: PDFKitReference | null;
      embed(doc: PDFDocument): void;
    }
  }
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A drawable image. */
export interface Picture {
  /** In points; as large as fits, at most one point per pixel. */
  fit(width: number, height: number): Size;
  draw(x: number, y: number, size: Size): void;
}

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * The image of a PNG or JPEG file; undefined when the file is broken, or of another type.
 *
 * @param png what the file has if it was already read as a PNG
 */
export function openPicture(doc: PdfFile, file: Buffer, png: Png | undefined = readPng(file)): Picture | undefined {
  // pdfkit decodes some PNGs later, where its errors cannot be caught; so broken ones are refused here.
  if (!png && !file.subarray(0, 3).equals(JPEG)) return undefined;
  try {
    const image = (png && opaqueImage(doc, png)) ?? doc.openImage(file);
    return {
      fit(width, height) {
        const scale = Math.min(1, width / image.width, height / image.height);
        return { width: image.width * scale, height: image.height * scale };
      },
      draw: (x, y, size) => void doc.image(image, x, y, { ...size }),
    };
  } catch {
    return undefined;
  }
}

/** The image in a base64 data URL; undefined when there is no drawable one. */
export function openDataUrl(doc: PdfFile, url: string): Picture | undefined {
  const base64 = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/.exec(url)?.[1];
  return base64 ? openPicture(doc, Buffer.from(base64, 'base64')) : undefined;
}

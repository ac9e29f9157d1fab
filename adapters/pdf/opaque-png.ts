import type { PdfFile } from './pdf-file.ts';
import type { Png } from './png.ts';

/** Of colour types without a palette or transparency. */
const COLOURS: Readonly<Record<number, { readonly space: string; readonly channels: number }>> = {
  0: { space: 'DeviceGray', channels: 1 },
  2: { space: 'DeviceRGB', channels: 3 },
};

/**
 * An opaque PNG, as logos and signatures are stored, in pdfkit's form. PDF takes its pixels as they are in the file,
 * with their predictors (ISO 32000-1, section 7.4.4.4). pdfkit's own reader copies a file byte by byte, which for the
 * largest logo takes longer than the rest of a quote. Undefined for other PNGs.
 */
export function opaqueImage(doc: PdfFile, png: Png): PDFKit.Mixins.OpenedImage | undefined {
  const colours = COLOURS[png.colourType];
  if (!colours || png.bitDepth !== 8 || png.chunks.includes('tRNS')) return undefined;
  const { width, height, pixels } = png;
  return {
    get label() {
      return `P${this.obj?.id}`;
    },
    width,
    height,
    obj: null,
    embed() {
      this.obj = doc.ref({
        Type: 'XObject',
        Subtype: 'Image',
        BitsPerComponent: 8,
        Width: width,
        Height: height,
        ColorSpace: colours.space,
        Filter: 'FlateDecode',
        DecodeParms: { Predictor: 15, Colors: colours.channels, BitsPerComponent: 8, Columns: width },
      });
      doc.endWithStream(this.obj, pixels);
    },
  };
}

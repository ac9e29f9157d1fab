import createQrCode from 'qrcode-generator';

/** The modules of a QR code of the text, row by row; true is dark. Error correction level M, smallest version that fits. */
export function qrCodeOf(text: string): readonly (readonly boolean[])[] {
  const code = createQrCode(0, 'M');
  code.addData(text);
  code.make();
  const numbers = Array.from({ length: code.getModuleCount() }, (_, index) => index);
  return numbers.map((row) => numbers.map((column) => code.isDark(row, column)));
}

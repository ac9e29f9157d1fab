/** A file that cannot be imported, with a sentence for the uploader. */
export class SpreadsheetRefused extends Error {
  override readonly name = 'SpreadsheetRefused';
}

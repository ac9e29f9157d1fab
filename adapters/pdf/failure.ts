/**
 * Why a PDF was not made: the drawing threw, the thread died, it exceeded its deadline or its CPU budget, or the
 * renderer was closed.
 */
export type PdfFailure = 'refused' | 'crashed' | 'deadline' | 'over_budget' | 'closed';

export class PdfFailed extends Error {
  readonly reason: PdfFailure;

  constructor(reason: PdfFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PdfFailed';
    this.reason = reason;
  }
}

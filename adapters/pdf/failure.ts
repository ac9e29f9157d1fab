/**
 * Why a PDF was not made: the drawing threw, the thread died, it took too long by the clock or more than its budget of CPU
 * time, or the renderer was closed.
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

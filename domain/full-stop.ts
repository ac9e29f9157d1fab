/**
 * The full stop after a text that ends a sentence; none where the text has its own, as "S.A. de C.V." does. Closing
 * quotation marks and brackets are looked through.
 */
export const fullStopAfter = (text: string): '' | '.' => (/[.!?…。！？][\s"'”’»)\]]*$/u.test(text) ? '' : '.');

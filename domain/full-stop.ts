/**
 * The stop after a text that ends a sentence: none where it brings its own, as "S.A. de C.V." does. Quotation marks and
 * brackets that close the text do not hide it.
 */
export const fullStopAfter = (text: string): '' | '.' => (/[.!?…。！？][\s"'”’»)\]]*$/u.test(text) ? '' : '.');

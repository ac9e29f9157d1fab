import type { Locale } from '../locale.ts';
import { documents as enDocuments } from './en-US/documents.ts';
import { mail as enMail } from './en-US/mail.ts';
import { page as enPage } from './en-US/page.ts';
import { type DocumentTexts, documents as esDocuments } from './es-MX/documents.ts';
import { mail as esMail, type MailTexts } from './es-MX/mail.ts';
import { page as esPage, type PageTexts } from './es-MX/page.ts';
import { documents as ptDocuments } from './pt-BR/documents.ts';
import { mail as ptMail } from './pt-BR/mail.ts';
import { page as ptPage } from './pt-BR/page.ts';

/**
 * The texts that clients read, in each language. The Spanish texts are the type of the others, so a missing text does not
 * compile. `format.ts` formats the dates and amounts in them.
 */
export interface Texts extends DocumentTexts {
  readonly mail: MailTexts;
  readonly page: PageTexts;
}

const TEXTS: Readonly<Record<Locale, Texts>> = {
  'es-MX': { ...esDocuments, mail: esMail, page: esPage },
  'en-US': { ...enDocuments, mail: enMail, page: enPage },
  'pt-BR': { ...ptDocuments, mail: ptMail, page: ptPage },
};

export const textsOf = (locale: Locale): Texts => TEXTS[locale];

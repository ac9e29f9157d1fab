import type { Locale } from '../domain/locale.ts';
import type { QuoteDrawing } from '../domain/quote-drawing.ts';

/** What the pages are made from. Templates read this and nothing else. */

/** Colours of the business, each chosen so that text in it or on it can be read. */
export interface Theme {
  /** Areas: the stripe on top, the main button. */
  readonly brand: string;
  readonly onBrand: string;
  /** Text, links and focus rings on white. */
  readonly brandText: string;
  /** Behind the total. */
  readonly tint: string;
}

/** What every page has. */
export interface Frame {
  readonly locale: Locale;
  /** Allows the one style element that holds the theme. */
  readonly nonce: string;
  readonly theme: Theme;
  readonly stylesheet: string;
  readonly script: string;
}

/** Where a quote stands for its client. `closed`: the business ended it in another way. */
export type PageState = 'open' | 'accepted' | 'rejected' | 'expired' | 'closed';

/** Something that happened to what the client just sent. */
export type Notice = 'invalid' | 'version_changed' | 'already_answered' | 'lapsed' | 'unavailable';

export type Field = 'signerName' | 'signerEmail' | 'signature' | 'consent' | 'reason';

/** A form as it was sent, with what is wrong with it, so that nothing has to be written twice. */
export interface FormState {
  readonly values: Partial<Record<Exclude<Field, 'signature' | 'consent'>, string>>;
  readonly errors: Partial<Record<Field, string>>;
  readonly open: 'accept' | 'reject';
}

export interface QuoteView extends Frame {
  /** `/p/<token>` */
  readonly path: string;
  /** `?lang=<locale>` if the client chose a language, else empty. Every link and form keeps it. */
  readonly query: string;
  readonly logoUrl: string | null;
  readonly state: PageState;
  /** In the language of the page. */
  readonly drawing: QuoteDrawing;
  readonly consentText: string;
  /** ISO 8601; null unless the client answered on this page. */
  readonly answeredAt: string | null;
  readonly rejectionReason: string | null;
  readonly notice: Notice | null;
  readonly form: FormState;
  readonly now: Date;
}

import type { AttachmentFacts } from '../domain/attachments.ts';
import type { Locale } from '../domain/locale.ts';
import type { QuoteDrawing } from '../domain/quote-drawing.ts';

/** The data of the pages, the only input of the templates. */

/** Colours of the business with enough contrast for text, in one mode. */
export interface Palette {
  /** Areas: the top stripe, the main button. */
  readonly brand: string;
  readonly onBrand: string;
  /** Text, links and focus rings on the page, on its cards and on the tint. */
  readonly brandText: string;
  /** Behind the total. */
  readonly tint: string;
}

export interface Theme {
  readonly light: Palette;
  readonly dark: Palette;
}

/** Data of every page. */
export interface Frame {
  readonly locale: Locale;
  /** Allows the style element with the theme. */
  readonly nonce: string;
  readonly theme: Theme;
  readonly stylesheet: string;
  readonly script: string;
}

/** The state of a quote for its client. `closed`: the business ended it in another way. */
export type PageState = 'open' | 'accepted' | 'rejected' | 'expired' | 'closed';

/** The result of the form that the client just sent. */
export type Notice =
  | 'invalid'
  | 'version_changed'
  | 'already_answered'
  | 'selection_changed'
  | 'selection_refused'
  | 'lapsed'
  | 'unavailable';

export type Field =
  | 'signerName'
  | 'signerEmail'
  | 'signature'
  | 'consent'
  | 'reason'
  | 'changeMessage'
  | 'changeName'
  | 'changeEmail';

/** The submitted values of a form and its errors, so that nothing has to be entered twice. */
export interface FormState {
  readonly values: Partial<Record<Exclude<Field, 'signature' | 'consent'>, string>>;
  readonly errors: Partial<Record<Field, string>>;
  readonly open: 'accept' | 'reject' | 'changes';
}

/** The lines as the form names them. */
export interface Options {
  /** The id of each line. */
  readonly ids: readonly string[];
  /** The selection to which the shown amounts belong, as the form sends it back. */
  readonly shown: string;
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
  /** What the client can select; null in a quote without options, or that cannot be accepted. */
  readonly options: Options | null;
  /** The quote's files; the id is part of their link. */
  readonly attachments: readonly (AttachmentFacts & { readonly id: string })[];
  readonly consentText: string;
  /** The address in the form before the client enters one. */
  readonly signerEmail: string | null;
  /** ISO 8601; null unless the client decided on this page. */
  readonly answeredAt: string | null;
  readonly rejectionReason: string | null;
  /** The client's last change request for this version; `at` is ISO 8601. */
  readonly changeRequest: { readonly at: string; readonly message: string } | null;
  readonly notice: Notice | null;
  readonly form: FormState;
  readonly now: Date;
}

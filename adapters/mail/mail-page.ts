import { type Html, html } from '../../domain/html.ts';
import type { Locale } from '../../domain/locale.ts';

/** Colours of a mail's button, and of the stripe above it; the service's own when a business has none. */
export interface MailColors {
  readonly ground: string;
  readonly text: string;
}
export const PLAIN_COLORS: MailColors = { ground: '#1d5fd1', text: '#ffffff' };

/** What every mail of the service has around its own rows. */
export interface MailPage {
  readonly locale: Locale;
  readonly companyName: string;
  /** The preview text of inboxes, beside the subject. */
  readonly preheader: string;
  /** Rows of the card's one-column table: `<tr>`s. */
  readonly rows: Html;
  readonly footer: readonly string[];
  /** A business's own colours; then the service's dark colours are not used. */
  readonly colors?: MailColors | null;
  /** The content id of an attached logo, shown instead of the name. */
  readonly logoCid?: string | null;
  /** The background of a transparent logo. */
  readonly logoGround?: string;
}

export const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

// Mail programs with prefers-color-scheme get our dark colours; others may invert the light ones, which stay readable.
// Rounded corners and the like are optional: Outlook draws the same layout with square ones.
const DARK = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background-color: #0f1419 !important; }
    .card { background-color: #1a2129 !important; border-color: #2c3640 !important; }
    .facts { background-color: #222b35 !important; }
    .strong { color: #f2f5f8 !important; }
    .soft { color: #a9b5c1 !important; }
    .rule { border-color: #35414d !important; }
  }
  @media (max-width: 619px) {
    .card { border-left: 0 !important; border-right: 0 !important; border-radius: 0 !important; }
    .inner { padding-left: 20px !important; padding-right: 20px !important; }
    .outer { padding: 0 !important; }
  }`;

// Only the service's own blue: a business's colours are the same in light and dark mode.
const DARK_ACTION = `
  @media (prefers-color-scheme: dark) {
    .action { background-color: #4f8ff7 !important; }
    .action a { color: #0b1220 !important; }
  }`;

/**
 * The HTML part of a mail: one 600 px table with inline styles; nothing is loaded from anywhere, an image is part of
 * the mail.
 */
export function mailPage(words: MailPage): string {
  const footer = words.footer.map((line) => html`<br />${line}`);
  // Fills the rest of the preview line, which would otherwise show the greeting.
  const filler = html`${Array.from({ length: 60 }, () => html`&#847;&zwnj;&nbsp;`)}`;

  const stripe = words.colors ? `border-top:6px solid ${words.colors.ground};` : '';
  // With a background: most logos are made for white, also when the mail is shown dark, and light ones for a dark
  // background.
  const heading = words.logoCid
    ? html`<img
        src="cid:${words.logoCid}"
        alt="${words.companyName}"
        height="48"
        style="display:block;height:48px;max-width:100%;background-color:${words.logoGround ?? '#ffffff'};border-radius:4px"
      />`
    : words.companyName;

  return html`<!doctype html>
    <html lang="${words.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no,date=no,address=no" />
        <title>${words.companyName}</title>
        <style>
          ${DARK}${words.colors ? null : DARK_ACTION}
        </style>
      </head>
      <body class="page" style="margin:0;padding:0;background-color:#eef1f4">
        <div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${words.preheader}${filler}</div>
        <table
          role="presentation"
          class="page"
          cellpadding="0"
          cellspacing="0"
          border="0"
          width="100%"
          bgcolor="#eef1f4"
          style="background-color:#eef1f4"
        >
          <tr>
            <td class="outer" align="center" style="padding:32px 12px">
              <table
                role="presentation"
                class="card"
                cellpadding="0"
                cellspacing="0"
                border="0"
                width="600"
                bgcolor="#ffffff"
                style="width:100%;max-width:600px;background-color:#ffffff;border:1px solid #dde2e7;${stripe}border-radius:12px"
              >
                <tr>
                  <td
                    class="inner strong"
                    style="${FONT};padding:32px 40px 0;font-size:20px;line-height:28px;font-weight:700;color:#1c2733"
                  >
                    ${heading}
                  </td>
                </tr>
                ${words.rows}
                <tr>
                  <td
                    class="inner soft rule"
                    style="${FONT};padding:20px 40px 28px;border-top:1px solid #dde2e7;font-size:13px;line-height:20px;color:#5b6670"
                  >
                    <strong>${words.companyName}</strong>${footer}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `.toString();
}

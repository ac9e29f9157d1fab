import { html } from '../../domain/html.ts';
import type { Locale } from '../../domain/locale.ts';
import { FONT, mailPage, PLAIN_COLORS } from './mail-page.ts';
import { buttonRow, openingRow } from './mail-rows.ts';

/** The finished sentences of the mail; the text part and the HTML part say the same. */
export interface AccountMailWords {
  readonly locale: Locale;
  readonly companyName: string;
  readonly preheader: string;
  readonly greeting: string;
  readonly introduction: string;
  readonly button: { readonly label: string; readonly url: string };
  readonly expiry: string;
  readonly tokenLabel: string;
  readonly token: string;
  readonly closing: string;
}

/** The HTML part of the mail. */
export function accountMailHtml(words: AccountMailWords): string {
  const rows = html`${openingRow(words)} ${buttonRow(words.button, PLAIN_COLORS)}
    <tr>
      <td class="inner soft" style="${FONT};padding:16px 40px 0;font-size:14px;line-height:22px;color:#5b6670">
        <p style="margin:0 0 12px">${words.expiry}</p>
        <p style="margin:0">${words.tokenLabel}<br /><code style="word-break:break-all">${words.token}</code></p>
      </td>
    </tr>
    <tr>
      <td class="inner strong" style="${FONT};padding:24px 40px 32px;font-size:16px;line-height:24px;color:#1c2733">
        ${words.closing}
      </td>
    </tr>`;
  const { locale, companyName, preheader } = words;
  return mailPage({ locale, companyName, preheader, rows, footer: [] });
}

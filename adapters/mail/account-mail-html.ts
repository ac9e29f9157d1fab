import { html } from '../../domain/html.ts';
import { FONT, mailPage } from './mail-page.ts';

/** What the mail says, each sentence ready; the text part and the HTML part say the same. */
export interface AccountMailWords {
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
  const rows = html`<tr>
      <td class="inner strong" style="${FONT};padding:20px 40px 0;font-size:16px;line-height:24px;color:#1c2733">
        <p style="margin:0 0 12px">${words.greeting}</p>
        <p style="margin:0">${words.introduction}</p>
      </td>
    </tr>
    <tr>
      <td class="inner" style="padding:24px 40px 0">
        <table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%">
          <tr>
            <td class="action" align="center" bgcolor="#1d5fd1" style="background-color:#1d5fd1;border-radius:8px">
              <a
                href="${words.button.url}"
                style="${FONT};display:block;padding:14px 24px;font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none"
                >${words.button.label}</a
              >
            </td>
          </tr>
        </table>
      </td>
    </tr>
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
  return mailPage({ companyName: words.companyName, preheader: words.preheader, rows, footer: [] });
}

import { type Html, html } from '../../domain/html.ts';
import { FONT, type MailColors } from './mail-page.ts';

/** Rows that several mails share. */

/** The greeting, and the subject of the mail. */
export const openingRow = ({ greeting, introduction }: { greeting: string; introduction: string }): Html =>
  html`<tr>
    <td class="inner strong" style="${FONT};padding:20px 40px 0;font-size:16px;line-height:24px;color:#1c2733">
      <p style="margin:0 0 12px">${greeting}</p>
      <p style="margin:0">${introduction}</p>
    </td>
  </tr>`;

/** The one button, as wide as the card. */
export const buttonRow = ({ label, url }: { label: string; url: string }, { ground, text }: MailColors): Html =>
  html`<tr>
    <td class="inner" style="padding:24px 40px 0">
      <table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%">
        <tr>
          <td class="action" align="center" bgcolor="${ground}" style="background-color:${ground};border-radius:8px">
            <a
              href="${url}"
              style="${FONT};display:block;padding:14px 24px;font-size:16px;line-height:20px;font-weight:600;color:${text};text-decoration:none"
              >${label}</a
            >
          </td>
        </tr>
      </table>
    </td>
  </tr>`;

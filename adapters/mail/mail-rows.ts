import { type Html, html } from '../../domain/html.ts';
import { FONT, type MailColors } from './mail-page.ts';

/** Rows that several mails share. */

/** The greeting, and the subject of the mail. */
export const openingRow = ({
  greeting,
  message = null,
  introduction,
}: {
  greeting: string;
  message?: string | null;
  introduction: string;
}): Html =>
  html`<tr>
    <td class="inner strong" style="${FONT};padding:20px 40px 0;font-size:16px;line-height:24px;color:#1c2733">
      <p style="margin:0 0 12px">${greeting}</p>
      ${message === null ? null : quoted(message)}
      <p style="margin:0">${introduction}</p>
    </td>
  </tr>`;

/** The seller's words beside a rule, so that they are not taken for ours: paragraphs, separated by an empty line. */
const quoted = (text: string): Html =>
  html`<div class="rule" style="margin:0 0 16px;padding:0 0 0 14px;border-left:3px solid #d5dbe1">
    ${text
      .split(/\n{2,}/)
      .map(
        (paragraph, at) =>
          html`<p style="margin:${at === 0 ? '0' : '12px 0 0'};overflow-wrap:anywhere">
            ${paragraph.split('\n').map((line, i) => html`${i === 0 ? null : html`<br />`}${line}`)}
          </p>`,
      )}
  </div>`;

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

import { type Html, html } from '../../domain/html.ts';
import type { Locale } from '../../domain/locale.ts';
import { FONT, type MailColors, mailPage, PLAIN_COLORS } from './mail-page.ts';
import { buttonRow, openingRow } from './mail-rows.ts';

export type Fact = readonly [name: string, value: string];

/** The finished sentences of the mail; the text part and the HTML part say the same. */
export interface QuoteMailWords {
  readonly locale: Locale;
  readonly companyName: string;
  /** The preview text of inboxes, beside the subject. */
  readonly preheader: string;
  readonly greeting: string;
  /** The seller's own words: plain text with line breaks; null without any. */
  readonly message: string | null;
  readonly introduction: string;
  readonly facts: readonly Fact[];
  /** The sums above the total, if the total does not say enough. */
  readonly sums: readonly Fact[];
  readonly totalLabel: string;
  readonly total: string;
  readonly deposit: { readonly name: string; readonly lines: readonly string[] } | null;
  readonly button: { readonly label: string; readonly url: string } | null;
  readonly closing: string;
  /** How to get no further automatic mails. */
  readonly stop?: { readonly label: string; readonly url: string };
  readonly footer: readonly string[];
  readonly colors: MailColors | null;
  readonly logoCid: string | null;
  readonly logoGround: string;
}

const NO_WRAP = 'white-space:nowrap;';
const BREAKS = 'overflow-wrap:anywhere;word-break:break-word;';

/** Values of more characters, such as the reason of a rejection, have several lines and are read from the left. */
const MAX_RIGHT_ALIGNED = 80;

const alignOf = (value: string | Html): 'left' | 'right' =>
  typeof value === 'string' && value.length > MAX_RIGHT_ALIGNED ? 'left' : 'right';

/** Names at the left, values at the right. Each table has its own columns: long names of taxes do not narrow dates. */
const factsTable = (
  facts: readonly (readonly [string, string | Html])[],
  { wraps }: { readonly wraps: 'name' | 'value' },
): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%">
    ${facts.map(
      ([name, value]) =>
        html` <tr>
          <td
            class="soft"
            style="${FONT};font-size:14px;line-height:22px;color:#5b6670;padding:3px 12px 3px 0;${wraps === 'value' ? NO_WRAP : ''}vertical-align:top"
          >
            ${name}
          </td>
          <td
            class="strong"
            align="${alignOf(value)}"
            style="${FONT};font-size:14px;line-height:22px;color:#1c2733;padding:3px 0;${wraps === 'name' ? NO_WRAP : BREAKS}vertical-align:top;text-wrap:balance"
          >
            ${value}
          </td>
        </tr>`,
    )}
  </table>`;

/** Below each other. */
const broken = (lines: readonly string[]): Html =>
  html`${lines.map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))}`;

const ruler = html`<div
  class="rule"
  style="border-bottom:1px solid #d5dbe1;margin:0 0 6px;padding:6px 0 0;font-size:0;line-height:0"
>
  &nbsp;
</div>`;

/** The HTML part of the mail. */
export function quoteMailHtml(words: QuoteMailWords): string {
  const button = words.button && buttonRow(words.button, words.colors ?? PLAIN_COLORS);
  // One line on a phone, whatever the amount: a separate table, and smaller letters for many digits.
  const size = words.total.length > 17 ? '17px' : '22px';
  const rows = html`${openingRow(words)}
    <tr>
      <td class="inner" style="padding:24px 40px 0">
        <table
          role="presentation"
          class="facts"
          cellpadding="0"
          cellspacing="0"
          border="0"
          width="100%"
          bgcolor="#f5f7f9"
          style="background-color:#f5f7f9;border-radius:8px"
        >
          <tr>
            <td style="padding:16px 20px">
              ${factsTable(words.facts, { wraps: 'value' })}${ruler}
              ${words.sums.length > 0 ? html`${factsTable(words.sums, { wraps: 'name' })}${ruler}` : null}
              <table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%">
                <tr>
                  <td
                    class="strong"
                    style="${FONT};font-size:16px;line-height:28px;font-weight:600;color:#1c2733;padding:10px 16px 0 0;vertical-align:bottom"
                  >
                    ${words.totalLabel}
                  </td>
                  <td
                    class="strong"
                    align="right"
                    style="${FONT};font-size:${size};line-height:28px;font-weight:700;color:#1c2733;padding:10px 0 0;vertical-align:bottom;white-space:nowrap"
                  >
                    ${words.total}
                  </td>
                </tr>
              </table>
              ${words.deposit && factsTable([[words.deposit.name, broken(words.deposit.lines)]], { wraps: 'value' })}
            </td>
          </tr>
        </table>
      </td>
    </tr>
    ${button}
    <tr>
      <td class="inner strong" style="${FONT};padding:24px 40px 32px;font-size:16px;line-height:24px;color:#1c2733">
        ${words.closing} ${words.stop ? stopLine(words.stop) : null}
      </td>
    </tr>`;

  const { locale, companyName, preheader, footer, colors, logoCid, logoGround } = words;
  return mailPage({ locale, companyName, preheader, rows, footer, colors, logoCid, logoGround });
}

const stopLine = ({ label, url }: { label: string; url: string }) =>
  html`<p class="soft" style="margin:16px 0 0;font-size:13px;line-height:20px;color:#5b6670">
    <a class="soft" href="${url}" style="color:#5b6670">${label}</a>
  </p>`;

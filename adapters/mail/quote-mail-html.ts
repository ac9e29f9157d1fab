import { html } from './html.ts';

/** What the mail says, each sentence ready; the text part and the HTML part say the same. */
export interface QuoteMailWords {
  readonly companyName: string;
  /** What inboxes show beside the subject. */
  readonly preheader: string;
  readonly greeting: string;
  readonly introduction: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly total: string;
  readonly button: { readonly label: string; readonly url: string } | null;
  readonly closing: string;
  readonly footer: readonly string[];
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

// Mail programs that know prefers-color-scheme get dark colours of ours; the others may invert the light ones, which
// stand that. Rounded corners and the like are extras: Outlook draws the same layout with square ones.
const DARK = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background-color: #0f1419 !important; }
    .card { background-color: #1a2129 !important; border-color: #2c3640 !important; }
    .facts { background-color: #222b35 !important; }
    .strong { color: #f2f5f8 !important; }
    .soft { color: #a9b5c1 !important; }
    .rule { border-color: #35414d !important; }
    .action { background-color: #4f8ff7 !important; }
    .action a { color: #0b1220 !important; }
  }
  @media (max-width: 619px) {
    .card { border-left: 0 !important; border-right: 0 !important; border-radius: 0 !important; }
    .inner { padding-left: 20px !important; padding-right: 20px !important; }
    .outer { padding: 0 !important; }
  }`;

/** The HTML part: one 600 px table with inline styles, no image, nothing fetched from anywhere. */
export function quoteMailHtml(words: QuoteMailWords): string {
  const facts = words.facts.map(
    ([name, value]) =>
      html` <tr>
        <td
          class="soft"
          style="${FONT};font-size:14px;line-height:22px;color:#5b6670;padding:3px 16px 3px 0;white-space:nowrap;vertical-align:top"
        >
          ${name}
        </td>
        <td
          class="strong"
          align="right"
          style="${FONT};font-size:14px;line-height:22px;color:#1c2733;padding:3px 0;vertical-align:top"
        >
          ${value}
        </td>
      </tr>`,
  );
  const button =
    words.button &&
    html` <tr>
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
    </tr>`;
  const footer = words.footer.map((line) => html`<br />${line}`);
  // Fills the rest of the preview line, which would otherwise run on into the greeting.
  const filler = html`${Array.from({ length: 60 }, () => html`&#847;&zwnj;&nbsp;`)}`;

  return html`<!doctype html>
    <html lang="es-MX">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no,date=no,address=no" />
        <title>${words.companyName}</title>
        <style>
          ${DARK}
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
                style="width:100%;max-width:600px;background-color:#ffffff;border:1px solid #dde2e7;border-radius:12px"
              >
                <tr>
                  <td
                    class="inner strong"
                    style="${FONT};padding:32px 40px 0;font-size:20px;line-height:28px;font-weight:700;color:#1c2733"
                  >
                    ${words.companyName}
                  </td>
                </tr>
                <tr>
                  <td
                    class="inner strong"
                    style="${FONT};padding:20px 40px 0;font-size:16px;line-height:24px;color:#1c2733"
                  >
                    <p style="margin:0 0 12px">${words.greeting}</p>
                    <p style="margin:0">${words.introduction}</p>
                  </td>
                </tr>
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
                          <table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%">
                            ${facts}
                            <tr>
                              <td
                                colspan="2"
                                class="rule"
                                style="border-bottom:1px solid #d5dbe1;padding:6px 0 0;font-size:0;line-height:0"
                              >
                                &nbsp;
                              </td>
                            </tr>
                            <tr>
                              <td
                                class="strong"
                                style="${FONT};font-size:16px;line-height:28px;font-weight:600;color:#1c2733;padding:10px 16px 0 0;vertical-align:bottom"
                              >
                                Total
                              </td>
                              <td
                                class="strong"
                                align="right"
                                style="${FONT};font-size:22px;line-height:28px;font-weight:700;color:#1c2733;padding:10px 0 0;vertical-align:bottom"
                              >
                                ${words.total}
                              </td>
                            </tr>
                          </table>
                        </td>
                      </tr>
                    </table>
                  </td>
                </tr>
                ${button}
                <tr>
                  <td
                    class="inner strong"
                    style="${FONT};padding:24px 40px 32px;font-size:16px;line-height:24px;color:#1c2733"
                  >
                    ${words.closing}
                  </td>
                </tr>
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

import { type QuoteDrawing, quoteLabel } from '../../domain/quote-drawing.ts';
import { day } from './format.ts';
import { COLOR, CONTENT_WIDTH, PAGE, STYLE } from './look.ts';
import type { Sheet } from './sheet.ts';
import { heightOf, type Line } from './typeset.ts';

const GAP = 24;
const LEFT_WIDTH = CONTENT_WIDTH * 0.54;
const RIGHT_WIDTH = CONTENT_WIDTH - LEFT_WIDTH - GAP;
const RIGHT_EDGE = PAGE.width - PAGE.right;

/** More lines than any real address has: a pasted page of text must not push the quote off the paper. */
const MAX_LINES = 5;

const present = (text: string | null): text is string => text !== null && text.trim() !== '';

/** Who quotes, the quote's number, then for whom and until when. */
export function drawHeader(sheet: Sheet, drawing: QuoteDrawing): void {
  drawCompanyAndTitle(sheet, drawing);
  sheet.rule(sheet.y, { color: COLOR.accent, width: 1.4 });
  sheet.y += 16;
  drawClientAndDates(sheet, drawing);
  sheet.y += 18;
}

function drawCompanyAndTitle(sheet: Sheet, { business, quoteNumber }: QuoteDrawing): void {
  const { type } = sheet;
  const contact = [business.phone, business.email].filter(present).join('  ·  ');
  const company = type.lines(business.companyName, STYLE.company, LEFT_WIDTH, 3);
  const details = [business.address, contact]
    .filter(present)
    .flatMap((text) => type.lines(text, STYLE.small, LEFT_WIDTH, MAX_LINES));
  const title = fittingTitle(sheet, `Cotización ${quoteLabel(quoteNumber)}`);
  const top = sheet.y;
  const detailsTop = top + heightOf(company) + 3;
  sheet.tagged('H1', () => type.draw(title, RIGHT_EDGE, top, 'right'));
  sheet.tagged('P', () => stack(sheet, company, PAGE.left, top));
  sheet.tagged('P', () => stack(sheet, details, PAGE.left, detailsTop));
  sheet.y = Math.max(detailsTop + heightOf(details), top + title.height) + 12;
}

/** A number of many digits makes the title smaller, not wider than its column. */
function fittingTitle({ type }: Sheet, text: string): Line {
  const title = type.line(text, STYLE.title);
  if (title.width <= RIGHT_WIDTH) return title;
  return type.line(text, { ...STYLE.title, size: (STYLE.title.size * RIGHT_WIDTH) / title.width });
}

function drawClientAndDates(sheet: Sheet, { client, createdAt, expiresAt, version, currency }: QuoteDrawing): void {
  const { type } = sheet;
  const name = present(client.companyName) ? client.companyName : client.contactName;
  const rest = [present(client.companyName) ? client.contactName : null, client.email, client.phone].filter(present);
  const who = [
    ...type.lines(name, STYLE.strong, LEFT_WIDTH, 3),
    ...rest.flatMap((text) => type.lines(text, STYLE.body, LEFT_WIDTH, 3)),
  ];
  const facts = [
    ['Fecha de emisión', day(createdAt)],
    ['Válida hasta', day(expiresAt)],
    ['Moneda', currency],
    ...(version > 1 ? [['Versión', String(version)]] : []),
  ].map(([label = '', value = '']) => ({
    label: type.line(`${label} `, STYLE.small),
    value: type.line(value, STYLE.body),
  }));

  const top = sheet.y;
  const heading = type.line('CLIENTE', STYLE.label);
  sheet.tagged('H2', () => type.draw(heading, PAGE.left, top));
  const whoTop = top + heading.height + 3;
  sheet.tagged('P', () => stack(sheet, who, PAGE.left, whoTop));

  let y = top;
  for (const { label, value } of facts) {
    sheet.tagged('P', () => {
      type.draw(label, RIGHT_EDGE - RIGHT_WIDTH, y);
      type.draw(value, RIGHT_EDGE, y, 'right');
    });
    y += value.height + 3;
  }
  sheet.y = Math.max(whoTop + heightOf(who), y);
}

function stack(sheet: Sheet, lines: readonly Line[], x: number, top: number): void {
  let y = top;
  for (const line of lines) {
    sheet.type.draw(line, x, y);
    y += line.height;
  }
}

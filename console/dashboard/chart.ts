import { type Html, html } from '../../domain/html.ts';

/** A bar of the chart: quotes of a day, or of several where the period is long. */
export interface Bar {
  readonly label: string;
  readonly generated: number;
  readonly won: number;
  /** Text, in the currency of the business. */
  readonly amount: string;
}

const WIDTH = 720;
const HEIGHT = 180;
const LINES = 4;

/** The least number that divides well into four and is at least this large. */
function topOf(most: number): number {
  const step = Math.max(1, most / LINES);
  const power = 10 ** Math.floor(Math.log10(step));
  const nice = [1, 2, 2.5, 5, 10]
    .map((factor) => factor * power)
    .find((each) => each >= step && Number.isInteger(each));
  return (nice ?? Math.ceil(step)) * LINES;
}

/** Quotes per day as bars; the won ones stand in front. Widths stretch with the page, so labels are outside. */
export function barChart(bars: readonly Bar[], summary: string): Html {
  const top = topOf(Math.max(...bars.map(({ generated }) => generated), 0));
  const slot = WIDTH / Math.max(1, bars.length);
  const width = Math.max(1, slot * 0.7);
  const y = (value: number): number => HEIGHT - (value / top) * HEIGHT;
  const number = (value: number): string => value.toFixed(2);
  const lines = Array.from({ length: LINES + 1 }, (_, line) => (top / LINES) * line);
  return html`<div class="chart">
    <p class="chart-axis" aria-hidden="true">${lines.toReversed().map((value) => html`<span>${value}</span>`)}</p>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${summary}">
      ${lines.map(
        (value) =>
          html`<line class="chart-line" x1="0" x2="${WIDTH}" y1="${number(y(value))}" y2="${number(y(value))}" />`,
      )}
      ${bars.map(({ label, generated, won, amount }, index) => {
        const x = number(index * slot + (slot - width) / 2);
        const bar = (name: string, value: number) =>
          value === 0
            ? null
            : html`<rect
                class="${name}"
                x="${x}"
                y="${number(y(value))}"
                width="${number(width)}"
                height="${number(HEIGHT - y(value))}"
              />`;
        return generated === 0
          ? html``
          : html`<g>
              <title>${label}: ${generated} creadas, ${won} ganadas, ${amount}</title>
              ${bar('bar-generated', generated)} ${bar('bar-won', won)}
            </g>`;
      })}
    </svg>
    <p class="chart-days" aria-hidden="true">
      ${[
        bars[0],
        bars.length > 2 ? bars[Math.floor((bars.length - 1) / 2)] : undefined,
        bars.length > 1 ? bars.at(-1) : undefined,
      ].map((bar) => html`<span>${bar?.label ?? ''}</span>`)}
    </p>
  </div>`;
}

/** A share of a whole as a bar beside its number. */
export const shareBar = (part: number, whole: number, tone: string): Html =>
  html`<svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="share-whole" width="100" height="6" rx="3" />
    <rect class="share-${tone}" width="${whole === 0 ? 0 : ((part / whole) * 100).toFixed(1)}" height="6" rx="3" />
  </svg>`;

import { median } from './measure.ts';
import { meets } from './row.ts';
import type { Reported } from './report.ts';

/** Every ratio that has a goal as a bar on a logarithmic scale, the goal in the middle: right of it is better. */

const WIDTH = 900;
const LINE = 22;
const LABELS = 430;
const MIDDLE = 660;
/** Pixels for a factor of ten. */
const DECADE = 130;

export function picture(rows: readonly Reported[]): string {
  const bars = rows.flatMap(({ name, findings: { ratios = [] } }) =>
    ratios.flatMap(({ what, values, goal }) => {
      const wanted = goal?.least ?? goal?.most;
      if (!goal || wanted === undefined) return [];
      const value = median(values);
      const better = goal.least === undefined ? wanted / value : value / wanted;
      return [
        { label: `${name}: ${what}`, value, wanted, better, met: meets(value, goal), least: goal.least !== undefined },
      ];
    }),
  );
  const height = bars.length * LINE + 50;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#ffffff"/>
<line x1="${MIDDLE}" y1="24" x2="${MIDDLE}" y2="${height - 20}" stroke="#5c6875"/>
<text x="${MIDDLE}" y="16" text-anchor="middle" fill="#1f2933">goal</text>
${bars.map(bar).join('\n')}
</svg>
`;
}

function bar({ label, value, wanted, better, met, least }: Bar, line: number): string {
  const y = 30 + line * LINE;
  const length = Math.max(-200, Math.min(200, Math.log10(better) * DECADE));
  const x = Math.min(MIDDLE, MIDDLE + length);
  const figure = `× ${value.toPrecision(3)} (${least ? '≥' : '≤'} ${wanted})`;
  return `<text x="${LABELS}" y="${y + 12}" text-anchor="end" fill="#1f2933">${escaped(label)}</text>
<rect x="${x}" y="${y + 2}" width="${Math.max(1, Math.abs(length))}" height="13" fill="${met ? '#2f7d4f' : '#b3432b'}"/>
<text x="${length >= 0 ? MIDDLE - 6 : MIDDLE + 6}" y="${y + 12}" text-anchor="${length >= 0 ? 'end' : 'start'}" fill="#5c6875">${figure}</text>`;
}

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly wanted: number;
  /** How many times better than the goal; below 1 is worse. */
  readonly better: number;
  readonly met: boolean;
  readonly least: boolean;
}

const escaped = (label: string): string => label.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

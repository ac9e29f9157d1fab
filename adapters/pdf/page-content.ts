import { channels } from './color.ts';
import { operand } from './operand.ts';

/**
 * The content of one page as operators (ISO 32000-1, annex A). A colour, a font and a line width hold until they
 * change, so they are written only then.
 */
export class PageContent {
  #operators = '';
  /** pdfkit has the origin at the upper left, where texts would be upside down. */
  readonly #upright: string;
  #set: State = {};
  readonly #saved: State[] = [];

  constructor(height: number) {
    this.#upright = `1 0 0 -1 0 ${operand(height)} cm`;
  }

  /** Adds operators that leave the colours, the font and the line width as they are. */
  write(operators: string): void {
    this.#operators += `${operators}\n`;
  }

  fillRect(x: number, y: number, width: number, height: number, color: string): void {
    this.#fillColor(color);
    this.write(`${operand(x)} ${operand(y)} ${operand(width)} ${operand(height)} re\nf`);
  }

  /** A horizontal line. */
  line(y: number, { from, to, width, color }: { from: number; to: number; width: number; color: string }): void {
    if (this.#set.stroke !== color) this.write(`${operands(color)} RG`);
    if (this.#set.lineWidth !== width) this.write(`${operand(width)} w`);
    this.#set.stroke = color;
    this.#set.lineWidth = width;
    this.write(`${operand(from)} ${operand(y)} m\n${operand(to)} ${operand(y)} l\nS`);
  }

  /** `show`: the operators that show a text in this font, on a page whose origin is at the lower left. */
  text(show: string, { font, size, color }: { font: string; size: number; color: string }): void {
    this.#fillColor(color);
    const selected = `/${font} ${operand(size)} Tf`;
    if (this.#set.font !== selected) this.write(selected);
    this.#set.font = selected;
    this.write(`q\n${this.#upright}\nBT\n${show}ET\nQ`);
  }

  save(): void {
    this.#saved.push({ ...this.#set });
    this.write('q');
  }

  restore(): void {
    this.#set = this.#saved.pop() ?? {};
    this.write('Q');
  }

  /** The operators since the last call. */
  take(): Buffer {
    const bytes = Buffer.from(this.#operators, 'latin1');
    this.#operators = '';
    return bytes;
  }

  #fillColor(color: string): void {
    if (this.#set.fill !== color) this.write(`${operands(color)} rg`);
    this.#set.fill = color;
  }
}

/** What holds on the page; absent until it was set. */
interface State {
  fill?: string;
  stroke?: string;
  lineWidth?: number;
  /** The operator that selected it. */
  font?: string;
}

const operands = (color: string): string =>
  channels(color)
    .map((channel) => operand(channel / 255))
    .join(' ');

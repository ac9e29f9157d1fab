import colors from 'picocolors';

/** The launcher's output: a line per finished step and, on a terminal, one live line for the current one. */

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const LABEL_WIDTH = 34;
const PLAIN_EVERY_MS = 5_000;

export class Terminal {
  readonly #out: NodeJS.WriteStream;
  readonly #live: boolean;
  readonly #pending = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;

  constructor(out: NodeJS.WriteStream = process.stdout) {
    this.#out = out;
    this.#live = out.isTTY && !process.env['NO_COLOR'] && !process.env['CI'];
    out.on('error', () => undefined); // the terminal was closed: the stack still has to be stopped in order
  }

  /** Marks a step as running until `done` or `failed` is called with the same label. */
  begin(label: string): void {
    this.#pending.set(label, performance.now());
    this.#timer ??= setInterval(() => this.#tick(), this.#live ? 100 : PLAIN_EVERY_MS);
  }

  /** A check mark with the seconds it took; the text may say more than the label. */
  done(label: string, text = label): void {
    const began = this.#end(label);
    const seconds = began === undefined ? '' : `${((performance.now() - began) / 1000).toFixed(1)} s`;
    this.line(`${colors.green('✔')} ${text.padEnd(LABEL_WIDTH)} ${colors.dim(seconds.padStart(6))}`);
  }

  failed(label: string, text = label): void {
    this.#end(label);
    this.line(`${colors.red('✘')} ${text}`);
  }

  /** A message that belongs to no step. */
  note(text: string): void {
    this.line(`  ${colors.dim(text)}`);
  }

  line(text = ''): void {
    if (this.#live) this.#out.write('\r\x1b[K');
    this.#out.write(`${text}\n`);
  }

  /** Runs one step between its begin and its check mark. The step may return a longer text for the latter. */
  async step<T>(label: string, work: () => Promise<T>, text: (result: T) => string = () => label): Promise<T> {
    this.begin(label);
    try {
      const result = await work();
      this.done(label, text(result));
      return result;
    } catch (error) {
      this.failed(label);
      throw error;
    }
  }

  /** Forgets the running steps. */
  clear(): void {
    for (const label of this.#pending.keys()) this.#end(label);
  }

  #end(label: string): number | undefined {
    const began = this.#pending.get(label);
    this.#pending.delete(label);
    if (this.#pending.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      if (this.#live) this.#out.write('\r\x1b[K');
    }
    return began;
  }

  #tick(): void {
    const oldest = Math.min(...this.#pending.values());
    const seconds = Math.round((performance.now() - oldest) / 1000);
    const text = `esperando: ${[...this.#pending.keys()].join(', ')} (${seconds} s)`;
    if (!this.#live) return this.line(`… ${text}`);
    this.#frame = (this.#frame + 1) % FRAMES.length;
    const width = (this.#out.columns || 80) - 3;
    this.#out.write(`\r\x1b[K${colors.cyan(FRAMES[this.#frame] ?? '')} ${text.slice(0, width)}`);
  }
}

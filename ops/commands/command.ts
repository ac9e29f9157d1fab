/** A command for operators: one file each, and a line in the table of `cli.ts`. */
export interface Command {
  /** Does it and prints what it did. Resolves when all that it opened is closed; throws what went wrong. */
  readonly run: (args: readonly string[]) => Promise<void>;
}

/** It cannot be done, and the operator reads why. Exit code 1, or 2 when what the arguments name does not exist. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The arguments are not those of the command; its usage is shown. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Results go to standard output, one record a line, so that other programs can take them. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

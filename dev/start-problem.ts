import { REPOSITORY } from './paths.ts';

/** `/repository/api/app.ts:45:10: ERROR: Unexpected ";"`, of the compiler. */
const COMPILER = /^(.+:\d+:\d+): ERROR: (.+)$/m;
/** `/repository/api/app.ts:45`, above the statement that failed. */
const PLACE = /^(?:file:\/\/)?(\/.+:\d+)$/m;
/** `SyntaxError: The requested module './x.ts' does not provide …` */
const ERROR = /^\w*Error\b.*: .+$/m;

/** One line with file and error, found in the output of a process before its end. */
export function startProblem(output: string): string {
  const [, place, text] = COMPILER.exec(output) ?? [undefined, PLACE.exec(output)?.[1], ERROR.exec(output)?.[0]];
  if (text === undefined) return output;
  return (place === undefined ? text : `${place}: ${text}`).replaceAll(`${REPOSITORY}/`, '');
}

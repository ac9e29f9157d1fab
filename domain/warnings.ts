import { clabeProblem } from './clabe.ts';
import { taxIdProblem } from './tax-id.ts';

/** Something that was stored as it was sent, although it looks wrong. */
export interface Warning {
  readonly path: string;
  readonly message: string;
}

/** What looks wrong with the members that a call names; those that it does not name are not looked at. */
export function warningsOf(
  { taxId, clabe }: { readonly taxId?: string | null | undefined; readonly clabe?: string | null | undefined },
  country: string,
): readonly Warning[] {
  const found = [
    { path: 'taxId', message: taxId ? taxIdProblem(taxId, country) : undefined },
    { path: 'bankInfo.clabe', message: clabe && country === 'MX' ? clabeProblem(clabe) : undefined },
  ];
  return found.flatMap(({ path, message }) => (message ? [{ path, message }] : []));
}

import { clabeProblem } from './clabe.ts';
import { taxIdProblem } from './tax-id.ts';

/** A warning: a value was stored as sent, although it looks wrong. */
export interface Warning {
  readonly path: string;
  readonly message: string;
}

/** The warnings for the members that a call sets; other members are not checked. */
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

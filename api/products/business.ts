import { Tenant } from '../../db/models/tenant.ts';
import type { TenantTransaction } from '../../db/with-tenant.ts';
import type { Caller } from '../../domain/caller.ts';
import { taxCodesNotAllowed } from '../../domain/errors.ts';
import { assertFeature } from '../../domain/plans.ts';
import { codeProblems, joinCodes, type TaxDefinition } from '../../domain/taxes.ts';
import { currentTaxes } from '../quotes/tax-definitions.ts';

/** What the values of a product depend on. */
export interface BusinessOfProduct {
  readonly currency: string;
  /** The tax table by code. */
  readonly taxes: ReadonlyMap<string, TaxDefinition>;
}

/** Reads the currency and the tax table of the caller's business. */
export async function businessOfProduct(trx: TenantTransaction, { tenantId }: Caller): Promise<BusinessOfProduct> {
  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  return { currency: tenant.currency, taxes: currentTaxes(tenant) };
}

/**
 * Throws a 403 if the plan does not allow the currency of a product's price.
 * spec gap: which uses of a foreign currency are "Multi-currency". A foreign price in the catalogue is one, as it is in
 * a quote.
 */
export function assertProductCurrency({ plan }: Caller, given: string | undefined, own: string): void {
  if (given !== undefined && given !== own) assertFeature(plan, 'multi_currency');
}

/** The tax codes of a product as they are stored. Throws a 400 for codes that are not in the table. */
export function productTaxes(
  codes: readonly string[] | null | undefined,
  { taxes }: Pick<BusinessOfProduct, 'taxes'>,
): string | null {
  const problems = codeProblems('taxes', codes ?? [], taxes);
  if (problems.length > 0) throw taxCodesNotAllowed(problems);
  return joinCodes(codes);
}

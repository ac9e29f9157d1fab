import type { Tenant } from '../../db/models/tenant.ts';
import { DEFAULT_CODE, defaultTax, type TaxDefinition, type TaxOfQuote, taxTable } from '../../domain/taxes.ts';
import type { PricingContext } from './pricing.ts';

type Definitions = Pick<PricingContext, 'taxRate' | 'defaultTax' | 'taxes'>;

/** The tax table of the business by code. */
export const currentTaxes = (tenant: Pick<Tenant, 'taxes' | 'country'>): ReadonlyMap<string, TaxDefinition> =>
  byCode(taxTable(tenant));

/** The current taxes of the business. */
export const definitionsOf = (tenant: Pick<Tenant, 'taxes' | 'country'>, taxRate: string): Definitions => ({
  taxRate,
  defaultTax: defaultTax(taxRate, tenant.country),
  taxes: currentTaxes(tenant),
});

/** Of a revision: codes that are on the quote keep their frozen definition, others have the current one. */
export function definitionsOfRevision(
  tenant: Pick<Tenant, 'taxes' | 'country'>,
  { taxRate, taxes }: { taxRate: string; taxes: readonly TaxOfQuote[] },
): Definitions {
  const frozen = frozenDefinitions(taxes);
  return {
    taxRate,
    defaultTax: frozen.find(({ code }) => code === DEFAULT_CODE) ?? defaultTax(taxRate, tenant.country),
    taxes: byCode([...taxTable(tenant), ...frozen.filter(({ code }) => code !== DEFAULT_CODE)]),
  };
}

/** Of a duplicate: codes have their current definition, and deleted ones the frozen definition of the original. */
export function definitionsOfDuplicate(
  tenant: Pick<Tenant, 'taxes' | 'country'>,
  taxRate: string,
  taxes: readonly TaxOfQuote[],
): Definitions {
  const frozen = frozenDefinitions(taxes).filter(({ code }) => code !== DEFAULT_CODE);
  return { ...definitionsOf(tenant, taxRate), taxes: byCode([...frozen, ...taxTable(tenant)]) };
}

/** By code; of two definitions the later one. */
const byCode = (taxes: readonly TaxDefinition[]): ReadonlyMap<string, TaxDefinition> =>
  new Map(taxes.map((tax) => [tax.code, tax]));

const frozenDefinitions = (taxes: readonly TaxOfQuote[]): readonly TaxDefinition[] =>
  taxes.map(({ code, name, kind, rate }) => ({ code, name, kind, rate }));

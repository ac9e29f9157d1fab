import { money } from '../../../../console/figures.ts';
import { LANGUAGES } from '../../../../console/languages.ts';
import type { ChosenClient, FoundClients, FoundProducts } from '../../../../console/quotes/editor/view.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import type { Calls } from '../../call.ts';

const MAX_FOUND = 8;

/** Clients that match, or the newest ones. */
export async function searchClients({ call }: Calls, search: string): Promise<FoundClients> {
  const { data } = await call('listClients', {
    query: { active: true, limit: MAX_FOUND, ...(search !== '' && { search }) },
  });
  return { search, found: data };
}

export async function searchProducts(
  { call }: Calls,
  { row, search }: { row: number; search: string },
): Promise<FoundProducts> {
  const { data } = await call('listProducts', {
    query: { active: true, limit: MAX_FOUND, ...(search !== '' && { search }) },
  });
  return {
    row,
    search,
    found: data.map(({ id, name, modelSku, unitPrice, currency }) => ({
      id,
      name,
      modelSku,
      price: money(unitPrice, currency),
    })),
  };
}

/** The client of the form; undefined if there is none, or none of this business. */
export async function chosenClient({ call }: Calls, id: string): Promise<ChosenClient | undefined> {
  if (id === '') return undefined;
  try {
    const { contactName, companyName, email, locale } = await call('getClient', { params: { id } });
    const language = LANGUAGES.find(({ value }) => value === locale)?.label;
    return { id, contactName, companyName, email, language };
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.reason === 'client_not_found') return undefined;
    throw thrown;
  }
}

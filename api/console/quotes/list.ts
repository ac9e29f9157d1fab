import { quoteListPage } from '../../../console/quotes/list-page.ts';
import { fieldsOf } from '../../../console/forms/form-state.ts';
import { QUOTE_STATUSES } from '../../../domain/quote-status.ts';
import { page } from '../declaration.ts';
import { newForm } from '../form.ts';
import { pick } from '../pick.ts';

export const quoteListPages = [
  page({
    method: 'GET',
    path: '/app/quotes',
    access: 'quotes:read',
    handle: async ({ caller, query: given, call }) => {
      const { status, ...query } = pick(given, ['search', 'status', 'cursor']);
      const known = QUOTE_STATUSES.find((each) => each === status);
      const filter = { ...query, ...(known && { status: known }) };
      const { data, total, nextCursor } = await call('listQuotes', { query: filter });
      return quoteListPage({
        filter: newForm(fieldsOf(filter)),
        rows: data,
        total,
        nextCursor,
        query: filter,
        timeZone: caller.timeZone,
      });
    },
  }),
];

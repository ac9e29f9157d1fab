import { fieldsOf, type FormState } from '../../../console/forms/form-state.ts';
import type { Option } from '../../../console/forms/fields.ts';
import { MORE_FILTERS, QUOTE_FILTERS } from '../../../console/quotes/filters.ts';
import { quoteListPage } from '../../../console/quotes/list-page.ts';
import { can } from '../../../domain/permissions.ts';
import { hasFeature } from '../../../domain/plans.ts';
import { QUOTE_STATUSES } from '../../../domain/quote-status.ts';
import { page, type PageRequest } from '../declaration.ts';
import { newForm } from '../form.ts';
import type { QueryOf } from '../operations.ts';
import { submitted } from '../page.ts';
import { pick } from '../pick.ts';

type Query = Readonly<Record<string, string>>;

/** The parameters of the list as they were given. A status that does not exist counts as none. */
function queryIn(given: PageRequest['query']): Query {
  const { status, ...query } = pick(given, [...QUOTE_FILTERS, 'cursor']);
  const known = QUOTE_STATUSES.find((each) => each === status);
  return { ...query, ...(known && { status: known }) };
}

// Unchecked: the operation's own check follows.
const checkedByTheApi = (query: Query) => query as QueryOf<'listQuotes'>;

export const quoteListPages = [
  page({
    method: 'GET',
    path: '/app/quotes',
    access: 'quotes:read',
    handle: async (request) => {
      const { caller, call } = request;
      const query = queryIn(request.query);
      const hasMore = request.query['more'] !== undefined || MORE_FILTERS.some((name) => query[name] !== undefined);
      const choices = { ...(await choicesOf(request, query, hasMore)), hasMore };
      const view = { query, ...choices, timeZone: caller.timeZone, canCreate: can(caller.role, 'quotes:create') };
      const show = (filter: FormState) =>
        quoteListPage({ ...view, filter, rows: [], total: undefined, nextCursor: null });
      const filter = newForm(fieldsOf(query));
      return submitted(
        { form: filter },
        {
          submit: async () => {
            const { data, total, nextCursor } = await call('listQuotes', { query: checkedByTheApi(query) });
            return quoteListPage({ ...view, filter, rows: data, total, nextCursor });
          },
          show,
        },
      );
    },
  }),
  ...(
    [
      ['csv', 'exportQuotesCsv'],
      ['xlsx', 'exportQuotesXlsx'],
    ] as const
  ).map(([format, operation]) =>
    page({
      method: 'GET',
      path: `/app/quotes/export.${format}`,
      access: 'quotes:read',
      handle: async ({ query: given, callForResult }) => {
        const { cursor: _cursor, sort: _sort, ...filter } = queryIn(given);
        return { file: await callForResult(operation, { query: checkedByTheApi(filter) }) };
      },
    }),
  ),
];

/** What the filters offer, and the name of the client by whom the list is filtered. */
async function choicesOf({ caller, call }: PageRequest<'quotes:read'>, { clientId }: Query, hasMore: boolean) {
  const isTeam = can(caller.role, 'collaborators:manage') && hasFeature(caller.plan, 'collaborators');
  const [labels, people, client] = await Promise.all([
    hasMore ? call('listLabels') : [],
    hasMore && isTeam ? call('listCollaborators') : [],
    clientId === undefined ? undefined : call('getClient', { params: { id: clientId } }).catch(() => undefined),
  ]);
  return {
    labels: labels.map(optionOf),
    creators: people.length < 2 ? [] : people.map(optionOf),
    clientName: clientId === undefined ? undefined : (client?.companyName ?? client?.contactName ?? 'otro cliente'),
  };
}

const optionOf = ({ id, name }: { readonly id: string; readonly name: string }): Option => ({ value: id, label: name });

import { PATH } from '../../../console/automations/list-page.ts';
import { automationTestPage } from '../../../console/automations/test-page.ts';
import { fieldsOf } from '../../../console/forms/form-state.ts';
import { page } from '../declaration.ts';
import { newForm } from '../form.ts';
import { pick } from '../pick.ts';

/** A page and not a form: a dry run changes nothing, so its address can be reloaded. */
export const automationTestPages = [
  page({
    method: 'GET',
    path: `${PATH}/:id/test`,
    access: 'config:manage',
    feature: 'automations',
    handle: async ({ call, params: { id = '' }, query: given }) => {
      const { search, quoteId } = pick(given, ['search', 'quoteId']);
      const { name } = await call('getAutomation', { params: { id } });
      const { data: quotes } = await call('listQuotes', {
        query: { limit: 50, ...(search !== undefined && { search }) },
      });
      const form = newForm(fieldsOf({ search, quoteId }));
      // A search may have left the chosen quote out.
      const chosen = quotes.find((quote) => quote.id === quoteId);
      const outcome = chosen && (await call('testAutomation', { params: { id }, body: { quoteId: chosen.id } }));
      return automationTestPage({ id, name, quotes, form, outcome });
    },
  }),
];

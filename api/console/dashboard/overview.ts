import { dashboardPage, PERIOD_NAMES } from '../../../console/dashboard/dashboard-page.ts';
import { fieldsOf } from '../../../console/forms/form-state.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { type Page, page, type PageRequest } from '../declaration.ts';
import { newForm, refusedForm } from '../form.ts';
import { pick } from '../pick.ts';

type Period = keyof typeof PERIOD_NAMES;
const isPeriod = (name: string | undefined): name is Period => name !== undefined && Object.hasOwn(PERIOD_NAMES, name);

/** The figures of the dates, or of the month with the messages about dates that the API refuses. */
async function figuresOf(
  { call }: PageRequest,
  query: { readonly from?: string; readonly to?: string; readonly period: Period },
) {
  const form = newForm(fieldsOf({ from: '', to: '', ...query }));
  try {
    const { data } = await call('getDashboard', { query });
    return { figures: data, filter: form };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.kind !== 'invalid') throw thrown;
    const { data } = await call('getDashboard');
    const refused = refusedForm(form, thrown);
    // The API names its parameter, which the page calls otherwise.
    const errors = new Map([...refused.errors].map(([name, message]) => [name, message.replace(/\bto$/, '«Hasta»')]));
    return { figures: data, filter: { ...refused, errors }, status: 400 };
  }
}

/** How much the business quotes and wins. */
export const dashboardPages: readonly Page[] = [
  page({
    method: 'GET',
    path: '/app/dashboard',
    access: 'dashboard:view',
    feature: 'dashboard',
    handle: async (request) => {
      const { call, caller, query } = request;
      const { period, ...dates } = pick(query, ['period', 'from', 'to']);
      const known = isPeriod(period) ? period : 'month';
      const { figures, filter, status = 200 } = await figuresOf(request, { ...dates, period: known });
      const { data } = await call('getSettings');
      const shown = dashboardPage({ figures, filter, currency: data.currency, timeZone: caller.timeZone });
      return { ...shown, status };
    },
  }),
];

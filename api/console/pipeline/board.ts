import { fieldsOf } from '../../../console/forms/form-state.ts';
import { boardPage, PERIODS, stagesOf, whyNot } from '../../../console/pipeline/board-page.ts';
import { listUrl } from '../../../console/pagination.ts';
import { addDays, dayOf } from '../../../domain/zone.ts';
import type { Deps } from '../../deps.ts';
import { assetUrl } from '../assets.ts';
import { type Page, page, type PageRequest, type ShownPage } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';
import { pick } from '../pick.ts';

const PATH = '/app/pipeline';
const common = { access: 'pipeline:view', feature: 'pipeline' } as const;
const DEFAULT_PERIOD = '90';
const AMOUNT = /^\d{1,12}(?:\.\d{1,2})?$/;

type Request = PageRequest<'pipeline:view'>;

/** The filters of the address. Those that say nothing are dropped, as a hand-written address may have them. */
function filterOf({ query }: Request) {
  const { days, minAmount, maxAmount, userId } = pick(query, ['userId', 'days', 'minAmount', 'maxAmount']);
  return {
    ...(userId !== undefined && userId.length <= 64 && { userId }),
    ...(days !== undefined && Object.hasOwn(PERIODS, days) && { days }),
    ...(minAmount !== undefined && AMOUNT.test(minAmount) && { minAmount }),
    ...(maxAmount !== undefined && AMOUNT.test(maxAmount) && { maxAmount }),
  };
}

async function showBoard(request: Request, now: Date, refusal?: string): Promise<ShownPage> {
  const { call, caller, query } = request;
  const filter = filterOf(request);
  const { days = DEFAULT_PERIOD, minAmount, maxAmount, userId } = filter;
  const { data } = await call('getPipeline', {
    query: {
      ...(userId !== undefined && { userId }),
      ...(days !== 'all' && { from: addDays(dayOf(now, caller.timeZone), -Number(days)) }),
      ...(minAmount !== undefined && { minAmount: Number(minAmount) }),
      ...(maxAmount !== undefined && { maxAmount: Number(maxAmount) }),
    },
  });
  const { data: vendors } = await call('listVendors');
  return boardPage({
    stages: stagesOf(data),
    vendors,
    filter: newForm(fieldsOf({ userId: '', minAmount: '', maxAmount: '', ...filter, days })),
    query: filter,
    moved: data.find(({ id }) => id === query['moved']),
    refusal,
    timeZone: caller.timeZone,
    script: assetUrl('board.js'),
  });
}

/** The board of the sales pipeline, and the moves on it. */
export const boardPages = ({ now }: Pick<Deps, 'now'>): readonly Page[] => [
  page({ ...common, method: 'GET', path: PATH, handle: (request) => showBoard(request, now()) }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/move`,
    handle: async (request) => {
      const { call, form, params } = request;
      const { id = '' } = params;
      const quote = await call('getQuote', { params: { id } });
      return submitted(request, {
        submit: async () => {
          await call('changeQuoteStatus', { params: { id }, body: form.bodyFor('changeQuoteStatus') });
          return { redirectTo: listUrl(PATH, { ...filterOf(request), moved: id }) };
        },
        show: (_, { reason, message }) =>
          showBoard(request, now(), reason === 'status_change_not_allowed' ? whyNot(quote) : message),
      });
    },
  }),
];

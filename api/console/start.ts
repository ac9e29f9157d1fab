import { listUrl } from '../../console/pagination.ts';
import { startPage, type StartView } from '../../console/start-page.ts';
import { can } from '../../domain/permissions.ts';
import { page, type PageRequest } from './declaration.ts';
import type { QueryOf } from './operations.ts';

const MAX_NEWS = 8;

type Request = Pick<PageRequest<'authenticated'>, 'call' | 'caller'>;

const LIST = '/app/quotes';

/** The quotes that the user may see and has something to do with. */
const FIGURES = [
  { label: 'Sin enviar', query: { status: 'GENERATED' } },
  { label: 'Esperan respuesta', query: { status: 'SENT', expired: false } },
  { label: 'Aceptadas, por cerrar', query: { status: 'ACCEPTED' } },
] as const satisfies readonly { readonly label: string; readonly query: QueryOf<'listQuotes'> }[];

async function countOf({ call }: Request, query: QueryOf<'listQuotes'>): Promise<number> {
  const { total = 0 } = await call('listQuotes', { query: { ...query, limit: 1 } });
  return total;
}

/** What an owner has to do before the first quote is sent. */
async function stepsOf(request: Request, counts: readonly number[]): Promise<StartView['steps']> {
  const { call, caller } = request;
  if (!can(caller.role, 'config:manage')) return [];
  const { steps } = await call('getOnboarding');
  const isDone = (wanted: string): boolean =>
    steps.some(({ name, completedAt }) => name === wanted && completedAt !== null);
  const hasQuote = isDone('first_quote');
  const [unsent = 0, ...sent] = counts;
  return [
    { name: 'company_info', isDone: isDone('company_info') },
    { name: 'first_client', isDone: hasQuote || (await hasClients(request)) },
    { name: 'first_quote', isDone: hasQuote },
    {
      name: 'first_share',
      isDone: hasQuote && (sent.some((count) => count > 0) || (await countOf(request, {})) > unsent),
    },
  ];
}

async function hasClients({ call }: Request): Promise<boolean> {
  const { data } = await call('listClients', { query: { limit: 1 } });
  return data.length > 0;
}

const quoteIdIn = ({ quoteId }: Readonly<Record<string, unknown>>): string | null =>
  typeof quoteId === 'string' ? quoteId : null;

export const startPages = [
  page({
    method: 'GET',
    path: '/app',
    access: 'authenticated',
    handle: async (request) => {
      const { caller, call } = request;
      const [{ data }, ...counts] = await Promise.all([
        call('listNotifications', { query: { limit: MAX_NEWS } }),
        ...FIGURES.map(({ query }) => countOf(request, query)),
      ]);
      const steps = await stepsOf(request, counts);
      const figures = FIGURES.map(({ label, query }, at) => ({
        label,
        value: counts[at] ?? 0,
        href: listUrl(LIST, Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))),
      }));
      return startPage({
        name: caller.name,
        isVerified: caller.isVerified,
        steps,
        figures: figures.some(({ value }) => value > 0) ? figures : [],
        news: data.map(({ title, body, metadata, readAt, createdAt }) => ({
          title,
          body,
          quoteId: quoteIdIn(metadata),
          isRead: readAt !== null,
          createdAt,
        })),
        canCreate: can(caller.role, 'quotes:create'),
        timeZone: caller.timeZone,
      });
    },
  }),
  page({
    method: 'GET',
    path: '/',
    access: 'public',
    handle: () => ({ redirectTo: '/app' }),
  }),
];

import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { periodOf, readDashboard } from './read.ts';
import { DashboardBody, ReadDashboard } from './schema.ts';

export const dashboardRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/dashboard',
    operationId: 'getDashboard',
    tag: 'Dashboard',
    summary: 'Indicadores de un periodo',
    description:
      'Cuenta las cotizaciones creadas en el periodo, según su estado de hoy. Ganadas incluye aceptadas y perdidas, ' +
      'rechazadas. Los importes suman solo las de la moneda del negocio. La actividad lista a quien creó alguna.',
    access: 'dashboard:view',
    feature: 'dashboard',
    query: ReadDashboard,
    responses: { 200: { description: 'Los indicadores', schema: DashboardBody } },
    handle: ({ caller, query, inTenant }) => {
      const period = periodOf(query, { now: deps.now(), timeZone: caller.timeZone });
      return inTenant(async (trx) => ({ data: await readDashboard(trx, caller, period) }));
    },
  }),
];

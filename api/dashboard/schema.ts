import { type Static, Type } from 'typebox';
import { PERIODS } from '../../domain/dashboard-period.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { named, dropsUnknown, dayOrMoment, id, nullable, oneOf, timestamp } from '../schema.ts';

export const ReadDashboard = dropsUnknown({
  period: oneOf('Period', PERIODS, {
    default: 'month',
    description: 'desde el inicio del día, la semana ISO o el mes, en la zona horaria del negocio',
  }),
  from: Type.Optional(
    dayOrMoment({
      description: 'inicio; manda sobre period. A lo más 3660 días antes de to',
      examples: ['2026-11-01'],
    }),
  ),
  to: Type.Optional(
    dayOrMoment({ description: 'fin: un día, completo, o un momento. Sin él, ahora', examples: ['2026-11-30'] }),
  ),
});
export type ReadDashboard = Static<typeof ReadDashboard>;

const count = () => Type.Integer({ minimum: 0, examples: [12] });
const amount = () => Type.Number({ minimum: 0, examples: [13920] });
const trend = () => Type.Number({ description: '% contra el periodo anterior de igual duración', examples: [25] });
const rate = () => Type.Number({ description: '% de las generadas', examples: [33.3] });
const outcome = () => named('DashboardOutcome', { value: count(), rate: rate(), trend: trend() });
const date = () => Type.String({ format: 'date', examples: ['2026-11-27'] });
const company = () => nullable(Type.String({ examples: ['Ferretería La Palma'] }));

/** Money as JSON numbers, only in the currency of the business. */
export const DashboardBody = named('Dashboard', {
  data: named('DashboardData', {
    kpis: named('DashboardKpis', {
      generated: named('DashboardCount', { value: count(), trend: trend() }),
      won: outcome(),
      lost: outcome(),
      clients: named('DashboardClients', { value: count(), newInPeriod: count(), trend: trend() }),
    }),
    amounts: named('DashboardAmounts', { quoted: amount(), won: amount(), prevQuoted: amount() }),
    chartData: Type.Array(named('DashboardDay', { date: date(), generated: count(), won: count(), amount: amount() })),
    statusDistribution: Type.Array(
      named('DashboardStatus', {
        name: Type.String({ examples: ['Ganadas'] }),
        value: count(),
        color: Type.String({ examples: ['#16a34a'] }),
      }),
    ),
    recentQuotes: Type.Array(
      named('DashboardQuote', {
        id: id(),
        quoteNumber: Type.Integer({ minimum: 1, examples: [12] }),
        status: oneOf('QuoteStatus', QUOTE_STATUSES),
        total: amount(),
        createdAt: timestamp(),
        clientName: Type.String({ examples: ['Ana Torres'] }),
        companyName: company(),
      }),
    ),
    topClients: Type.Array(
      named('DashboardClient', {
        name: Type.String({ examples: ['Ana Torres'] }),
        company: company(),
        count: count(),
        total: amount(),
      }),
    ),
    collaboratorActivity: Type.Array(
      named('DashboardCollaborator', {
        userId: id(),
        name: Type.String({ examples: ['Diana Ruiz'] }),
        generated: count(),
        won: count(),
        lost: count(),
        amount: amount(),
      }),
    ),
    period: named('DashboardPeriod', {
      from: date(),
      to: date(),
      label: oneOf('DashboardPeriodName', [...PERIODS, 'custom'] as const),
    }),
  }),
});

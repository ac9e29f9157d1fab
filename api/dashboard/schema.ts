import { type Static, Type } from 'typebox';
import { PERIODS } from '../../domain/dashboard-period.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { dropsUnknown, dayOrMoment, id, nullable, oneOf, timestamp } from '../schema.ts';

export const ReadDashboard = dropsUnknown({
  period: oneOf(PERIODS, {
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
const outcome = () => Type.Object({ value: count(), rate: rate(), trend: trend() });
const date = () => Type.String({ format: 'date', examples: ['2026-11-27'] });
const company = () => nullable(Type.String({ examples: ['Ferretería La Palma'] }));

/** Money as JSON numbers, only in the currency of the business. */
export const DashboardBody = Type.Object({
  data: Type.Object({
    kpis: Type.Object({
      generated: Type.Object({ value: count(), trend: trend() }),
      won: outcome(),
      lost: outcome(),
      clients: Type.Object({ value: count(), newInPeriod: count(), trend: trend() }),
    }),
    amounts: Type.Object({ quoted: amount(), won: amount(), prevQuoted: amount() }),
    chartData: Type.Array(Type.Object({ date: date(), generated: count(), won: count(), amount: amount() })),
    statusDistribution: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['Ganadas'] }),
        value: count(),
        color: Type.String({ examples: ['#16a34a'] }),
      }),
    ),
    recentQuotes: Type.Array(
      Type.Object({
        id: id(),
        quoteNumber: Type.Integer({ minimum: 1, examples: [12] }),
        status: oneOf(QUOTE_STATUSES),
        total: amount(),
        createdAt: timestamp(),
        clientName: Type.String({ examples: ['Ana Torres'] }),
        companyName: company(),
      }),
    ),
    topClients: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['Ana Torres'] }),
        company: company(),
        count: count(),
        total: amount(),
      }),
    ),
    collaboratorActivity: Type.Array(
      Type.Object({
        userId: id(),
        name: Type.String({ examples: ['Diana Ruiz'] }),
        generated: count(),
        won: count(),
        lost: count(),
        amount: amount(),
      }),
    ),
    period: Type.Object({
      from: date(),
      to: date(),
      label: oneOf([...PERIODS, 'custom'] as const),
    }),
  }),
});

import type { QuoteStatus } from '../../domain/quote-status.ts';
import type { TimeZone } from '../../domain/zone.ts';
import type { FormState } from '../forms/form-state.ts';

interface Outcome {
  readonly value: number;
  readonly rate: number;
  readonly trend: number;
}

/** The figures as the API returns them; amounts are in the currency of the business. */
interface Figures {
  readonly kpis: {
    readonly generated: { readonly value: number; readonly trend: number };
    readonly won: Outcome;
    readonly lost: Outcome;
    readonly clients: { readonly value: number; readonly newInPeriod: number; readonly trend: number };
  };
  readonly amounts: { readonly quoted: number; readonly won: number; readonly prevQuoted: number };
  readonly chartData: readonly {
    readonly date: string;
    readonly generated: number;
    readonly won: number;
    readonly amount: number;
  }[];
  readonly statusDistribution: readonly { readonly name: string; readonly value: number }[];
  readonly recentQuotes: readonly {
    readonly id: string;
    readonly quoteNumber: number;
    readonly status: QuoteStatus;
    readonly total: number;
    readonly createdAt: string;
    readonly clientName: string;
    readonly companyName: string | null;
  }[];
  readonly topClients: readonly {
    readonly name: string;
    readonly company: string | null;
    readonly count: number;
    readonly total: number;
  }[];
  readonly collaboratorActivity: readonly {
    readonly name: string;
    readonly generated: number;
    readonly won: number;
    readonly lost: number;
    readonly amount: number;
  }[];
  readonly period: { readonly from: string; readonly to: string };
}

export interface DashboardView {
  readonly figures: Figures;
  readonly currency: string;
  readonly filter: FormState;
  readonly timeZone: TimeZone;
}

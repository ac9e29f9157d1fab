import { type Static, Type } from 'typebox';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { amount, dateRange } from '../quotes/list-schema.ts';
import { signed } from '../quotes/detail-schema.ts';
import { named, dropsUnknown, decimalText, id, nullable, oneOf, timestamp } from '../schema.ts';

export const ReadPipeline = dropsUnknown({
  userId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'las que creó este usuario' })),
  ...dateRange,
  minAmount: amount('con este total o más'),
  maxAmount: amount('con este total o menos'),
});
export type ReadPipeline = Static<typeof ReadPipeline>;

const PipelineEntry = named('PipelineQuote', {
  id: id(),
  quoteNumber: Type.Integer({ minimum: 1, examples: [12] }),
  displayNumber: Type.String({ examples: ['COT-12'] }),
  status: oneOf('QuoteStatus', QUOTE_STATUSES),
  subtotal: decimalText(),
  tax: signed(decimalText()),
  total: decimalText(),
  currency: Type.String({ examples: ['MXN'] }),
  createdAt: timestamp(),
  client: named('PipelineClient', {
    contactName: Type.String({ examples: ['Ana Torres'] }),
    companyName: nullable(Type.String({ examples: ['Ferretería La Palma'] })),
  }),
  user: named('UserName', { name: Type.String({ examples: ['Diana Ruiz'] }) }),
});
export type PipelineEntry = Static<typeof PipelineEntry>;
export const PipelineBody = named('Pipeline', { data: Type.Array(PipelineEntry) });

export const VendorsBody = named('VendorList', {
  data: Type.Array(
    named('Vendor', {
      id: id(),
      name: Type.String({ examples: ['Diana Ruiz'] }),
      email: Type.String({ examples: ['diana@example.com'] }),
    }),
  ),
});

import { type Static, Type } from 'typebox';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { amount, dateRange } from '../quotes/list-schema.ts';
import { signed } from '../quotes/detail-schema.ts';
import { dropsUnknown, decimalText, id, nullable, oneOf, timestamp } from '../schema.ts';

export const ReadPipeline = dropsUnknown({
  userId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'las que creó este usuario' })),
  ...dateRange,
  minAmount: amount('con este total o más'),
  maxAmount: amount('con este total o menos'),
});
export type ReadPipeline = Static<typeof ReadPipeline>;

const PipelineEntry = Type.Object({
  id: id(),
  quoteNumber: Type.Integer({ minimum: 1, examples: [12] }),
  status: oneOf(QUOTE_STATUSES),
  subtotal: decimalText(),
  tax: signed(decimalText()),
  total: decimalText(),
  createdAt: timestamp(),
  client: Type.Object({
    contactName: Type.String({ examples: ['Ana Torres'] }),
    companyName: nullable(Type.String({ examples: ['Ferretería La Palma'] })),
  }),
  user: Type.Object({ name: Type.String({ examples: ['Diana Ruiz'] }) }),
});
export type PipelineEntry = Static<typeof PipelineEntry>;
export const PipelineBody = Type.Object({ data: Type.Array(PipelineEntry) });

export const VendorsBody = Type.Object({
  data: Type.Array(
    Type.Object({
      id: id(),
      name: Type.String({ examples: ['Diana Ruiz'] }),
      email: Type.String({ examples: ['diana@example.com'] }),
    }),
  ),
});

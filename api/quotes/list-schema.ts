import { type Static, Type } from 'typebox';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { cursor, dropsUnknown, dayOrMoment, decimal, limit, oneOf, page, search, updatedSince } from '../schema.ts';

/** Orders of the list; a minus means descending. Ties are ordered by number in the same direction. */
const ORDERS = [
  '-quoteNumber',
  'quoteNumber',
  '-createdAt',
  'createdAt',
  '-expiresAt',
  'expiresAt',
  '-total',
  'total',
] as const;
export type QuoteOrder = (typeof ORDERS)[number];

const anId = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }));
export const amount = (description: string) =>
  Type.Optional(decimal(3, { minimum: 0, maximum: 9_999_999_999.99, description, examples: [1000] }));

export const dateRange = {
  from: Type.Optional(
    dayOrMoment({
      description: 'creadas desde este día o momento; sin zona, la del negocio',
      examples: ['2026-11-01'],
    }),
  ),
  to: Type.Optional(
    dayOrMoment({
      description: 'creadas hasta este día, completo, o momento; sin zona, la del negocio',
      examples: ['2026-11-30'],
    }),
  ),
};

/** At most that many filters by reference and metadata in a request. */
export const MAX_EXACT_FILTERS = 3;

const filters = {
  search: search({
    description: 'número (12, COT-12), contacto o empresa, sin distinguir mayúsculas ni acentos',
    examples: ['COT-12'],
  }),
  status: Type.Optional(oneOf('QuoteStatus', QUOTE_STATUSES)),
  clientId: anId('las de este cliente'),
  userId: anId('las que creó este usuario; un colaborador ve solo las suyas, así que otro le da una lista vacía'),
  labelId: anId('las que llevan esta etiqueta'),
  ...dateRange,
  minTotal: amount('con este total o más, en la moneda de cada cotización'),
  maxTotal: amount('con este total o menos'),
  reference: Type.Optional(
    Type.String({ clean: 'line', maxLength: 60, description: 'las de esta referencia, exacta', examples: ['OC-2041'] }),
  ),
  metadata: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string>>>({
      title: 'MetadataFilter',
      type: 'object',
      maxProperties: MAX_EXACT_FILTERS,
      additionalProperties: { type: 'string', maxLength: 500 },
      description: 'metadata.<nombre>=<valor>: las que tienen ese dato, exacto; con reference, a lo más 3 por consulta',
    }),
  ),
  expired: Type.Optional(Type.Boolean({ description: 'true: solo las vencidas; false: solo las vigentes' })),
};

export const ListQuotes = dropsUnknown({
  ...filters,
  sort: oneOf('QuoteOrder', ORDERS, { default: '-quoteNumber', description: 'orden; con guion, descendente' }),
  updatedSince: updatedSince(),
  cursor: cursor(),
  page: page(),
  limit: limit(),
});
export type ListQuotes = Static<typeof ListQuotes>;

/** The filters of the list without pages; always ordered by number, descending. */
export const ExportQuotes = dropsUnknown(filters);
export type ExportQuotes = Static<typeof ExportQuotes>;

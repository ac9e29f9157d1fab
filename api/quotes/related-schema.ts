import { Type } from 'typebox';
import { id, named, nullable } from '../schema.ts';

/** What a quote shows of other records. */

export const ClientOfQuote = named('QuoteClient', {
  id: id(),
  contactName: Type.String(),
  companyName: nullable(Type.String()),
  email: nullable(Type.String()),
  phone: nullable(Type.String()),
});
export const LabelOfQuote = named('QuoteLabel', {
  id: id(),
  name: Type.String({ examples: ['Urgente'] }),
  color: Type.String({ examples: ['#1d5fd1'] }),
});
export const LinkedProduct = nullable(
  named('QuoteItemProduct', { id: id(), name: Type.String(), modelSku: nullable(Type.String()) }),
);
export const UserOfQuote = named('QuoteUser', {
  name: Type.String({ examples: ['Diana Ruiz'] }),
  email: Type.String({ examples: ['diana@example.com'] }),
});

import {
  depositNotAllowed,
  expiryNotAllowed,
  type ServiceError,
  taxCodesNotAllowed,
  totalOutOfRange,
} from '../../domain/errors.ts';

/** Refusals of the values of a new or revised quote, as examples of the OpenAPI document. */
export const QUOTE_VALUE_REFUSALS: readonly ServiceError[] = [
  expiryNotAllowed({ path: 'expiresAt', message: 'debe estar en el futuro' }),
  taxCodesNotAllowed([{ path: 'items.0.taxes.0', message: 'el impuesto «IVA17» no existe' }]),
  totalOutOfRange('el total no puede ser negativo'),
  depositNotAllowed('debe ser menor o igual que el total'),
];

import { type Static, Type } from 'typebox';
import { MAX_TAXES_OF_LINE } from '../../domain/taxes.ts';
import { taxCodes } from '../quotes/schema.ts';
import {
  named,
  namedInput,
  dropsUnknown,
  currency,
  cursor,
  decimal,
  decimalText,
  id,
  limit,
  nullable,
  optionalLine,
  optionalText,
  page,
  search,
  text,
  timestamp,
} from '../schema.ts';

const name = () => text(200, { examples: ['Silla ejecutiva'] });
const unitPrice = () =>
  decimal(6, { minimum: 0, exclusiveMaximum: 1_000_000_000, description: 'hasta 6 decimales', examples: [1234.5] });
const optionalFields = {
  modelSku: optionalLine(100, { description: 'modelo o SKU', examples: ['SE-200'] }),
  description: optionalText(2000, { examples: ['Respaldo de malla'] }),
  currency: Type.Optional(
    currency({ description: 'ISO 4217; sin ella, la del negocio. Otra que la del negocio: PRO.' }),
  ),
  unit: optionalLine(20, { description: 'unidad de medida', examples: ['m²'] }),
  taxes: Type.Optional(
    taxCodes(MAX_TAXES_OF_LINE, 'Claves de `listTaxes`; [] sin impuestos; ausente o nulo, el del negocio.'),
  ),
};

export const CreateProduct = namedInput('ProductInput', { name: name(), unitPrice: unitPrice(), ...optionalFields });
export type CreateProduct = Static<typeof CreateProduct>;

/** Absent members are unchanged; null or "" clears modelSku, description and unit, and null clears taxes. */
export const UpdateProduct = namedInput('ProductUpdate', {
  name: Type.Optional(name()),
  unitPrice: Type.Optional(unitPrice()),
  ...optionalFields,
  isActive: Type.Optional(Type.Boolean({ description: 'true lo reactiva después de DELETE' })),
});
export type UpdateProduct = Static<typeof UpdateProduct>;

export const ProductParams = Type.Object({ id: Type.String({ maxLength: 64 }) });

export const ListProducts = dropsUnknown({
  search: search({ description: 'nombre, modelo o descripción' }),
  active: Type.Optional(Type.Boolean({ description: 'true: los activos; false: los desactivados. Sin él, todos.' })),
  cursor: cursor(),
  page: page(),
  limit: limit(),
});
export type ListProducts = Static<typeof ListProducts>;

const common = {
  id: id(),
  name: Type.String({ examples: ['Silla ejecutiva'] }),
  modelSku: nullable(Type.String({ examples: ['SE-200'] })),
  description: nullable(Type.String({ examples: ['Respaldo de malla'] })),
  currency: Type.String({ examples: ['MXN'] }),
  unit: nullable(Type.String({ examples: ['m²'] })),
  taxes: nullable(
    Type.Array(Type.String({ examples: ['IVA16'] }), {
      description: '[] sin impuestos; null: el impuesto del negocio',
    }),
  ),
  isActive: Type.Boolean(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
};

/** Reads and PATCH: the price as a decimal string. */
export const ProductBody = named('Product', { ...common, unitPrice: decimalText() });

/** The response of POST: the price as a JSON number. */
export const CreatedProduct = named('CreatedProduct', { ...common, unitPrice: Type.Number({ examples: [1234.5] }) });

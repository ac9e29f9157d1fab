import type { Product } from '../../db/models/product.ts';
import { decimalNumber, decimalString } from '../../domain/money.ts';
import { splitCodes } from '../../domain/taxes.ts';
import type { ResponseBody } from '../schema.ts';
import type { CreatedProduct, ProductBody } from './schema.ts';
import { entityTag } from '../entity-tag.ts';

const common = (product: Product) => ({
  id: product.id,
  name: product.name,
  modelSku: product.modelSku,
  description: product.description,
  currency: product.currency,
  unit: product.unit,
  taxes: splitCodes(product.taxes),
  isActive: product.isActive,
  createdAt: product.createdAt.toISOString(),
  updatedAt: product.updatedAt.toISOString(),
});

/** The response of reads and PATCH: the price as a decimal string. */
export const productBody = (product: Product): ResponseBody<typeof ProductBody> => ({
  ...common(product),
  unitPrice: decimalString(product.unitPrice),
});

/** The response of POST: the price as a number. */
export const createdProduct = (product: Product): ResponseBody<typeof CreatedProduct> => ({
  ...common(product),
  unitPrice: decimalNumber(product.unitPrice),
});

/** The entity tag of a product, of which all is in its own row. */
export const productTag = ({ revision }: Product): string => entityTag(revision);

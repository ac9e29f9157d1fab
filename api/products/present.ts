import type { Product } from '../../db/models/product.ts';
import { decimalNumber, decimalString } from '../../domain/money.ts';

const common = (product: Product) => ({
  id: product.id,
  name: product.name,
  modelSku: product.modelSku,
  description: product.description,
  currency: product.currency,
  isActive: product.isActive,
  createdAt: product.createdAt.toISOString(),
  updatedAt: product.updatedAt.toISOString(),
});

/** Reads and PATCH. */
export const productBody = (product: Product) => ({ ...common(product), unitPrice: decimalString(product.unitPrice) });

/** What POST answers. */
export const createdProduct = (product: Product) => ({
  ...common(product),
  unitPrice: decimalNumber(product.unitPrice),
});

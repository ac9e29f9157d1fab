import { NEWEST } from '../../db/reads/keyset.ts';
import { productNotFound } from '../../domain/errors.ts';
import { pageBody, startOf } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import { cursorPageOf, Done, done } from '../schema.ts';
import { createdProduct, productBody } from './present.ts';
import { findProduct, listProducts } from './queries.ts';
import { CreatedProduct, CreateProduct, ListProducts, ProductBody, ProductParams, UpdateProduct } from './schema.ts';
import { createProduct, deactivateProduct, updateProduct } from './write.ts';

export const productRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/products',
    operationId: 'listProducts',
    tag: 'Products',
    summary: 'Lista los productos',
    access: 'products:read',
    query: ListProducts,
    responses: {
      200: {
        description: 'Una página, del más nuevo al más antiguo',
        schema: cursorPageOf('ProductPage', ProductBody),
      },
    },
    handle: ({ caller: { tenantId }, query, inTenant }) =>
      inTenant(async (trx) => {
        const scope = { list: 'products', tenantId, query };
        const found = await listProducts(trx, tenantId, { ...query, after: startOf(scope, NEWEST) });
        return pageBody(scope, found.rows.map(productBody), found);
      }),
  }),
  route({
    method: 'POST',
    path: '/api/products',
    operationId: 'createProduct',
    tag: 'Products',
    summary: 'Crea un producto',
    access: 'products:create',
    idempotency: 'transaction',
    body: CreateProduct,
    responses: { 201: { description: 'El producto; aquí el precio es un número', schema: CreatedProduct } },
    handle: ({ caller, body, transact }) =>
      transact(async (trx) => ({ status: 201, body: createdProduct(await createProduct(trx, caller, body)) })),
  }),
  route({
    method: 'GET',
    path: '/api/products/:id',
    operationId: 'getProduct',
    tag: 'Products',
    summary: 'Lee un producto',
    description: 'También uno desactivado.',
    access: 'products:read',
    params: ProductParams,
    responses: { 200: { description: 'El producto', schema: ProductBody } },
    refusals: [productNotFound()],
    handle: ({ caller: { tenantId }, params, inTenant }) =>
      inTenant(async (trx) => productBody(await findProduct(trx, tenantId, params.id))),
  }),
  route({
    method: 'PATCH',
    path: '/api/products/:id',
    operationId: 'updateProduct',
    tag: 'Products',
    summary: 'Cambia un producto',
    description: 'Lo que no se envía se conserva. Las cotizaciones conservan el precio que copiaron.',
    access: 'products:update',
    params: ProductParams,
    body: UpdateProduct,
    responses: { 200: { description: 'El producto', schema: ProductBody } },
    refusals: [productNotFound()],
    handle: ({ caller, params, body, inTenant }) =>
      inTenant(async (trx) => productBody(await updateProduct(trx, caller, params.id, body))),
  }),
  route({
    method: 'DELETE',
    path: '/api/products/:id',
    operationId: 'deleteProduct',
    tag: 'Products',
    summary: 'Desactiva un producto',
    description: 'Las cotizaciones que lo usan no cambian. PATCH con `isActive` lo reactiva.',
    access: 'products:delete',
    params: ProductParams,
    responses: { 200: { description: 'Desactivado', schema: Done } },
    refusals: [productNotFound()],
    handle: ({ caller, params, inTenant }) => inTenant((trx) => deactivateProduct(trx, caller, params.id).then(done)),
  }),
];

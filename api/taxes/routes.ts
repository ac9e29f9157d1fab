import { Type } from 'typebox';
import { businessNotFound } from '../../domain/errors.ts';
import { taxTable } from '../../domain/taxes.ts';
import { type Route, route } from '../route.ts';
import { taxBody } from '../settings/present.ts';
import { findBusiness } from '../settings/queries.ts';
import { TaxBody } from '../settings/schema.ts';

export const taxRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/taxes',
    operationId: 'listTaxes',
    tag: 'Quotes',
    summary: 'La tabla de impuestos del negocio',
    description: 'Sus claves valen en las partidas y el envío. Se cambia en los ajustes.',
    access: 'quotes:read',
    rate: 'default',
    responses: { 200: { description: 'Los impuestos', schema: Type.Array(TaxBody) } },
    refusals: [businessNotFound()],
    handle: ({ caller: { tenantId }, inTenant }) =>
      inTenant(async (trx) => taxTable(await findBusiness(trx, tenantId)).map(taxBody)),
  }),
];

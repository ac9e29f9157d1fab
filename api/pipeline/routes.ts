import { User } from '../../db/models/user.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { readPipeline } from './read.ts';
import { PipelineBody, ReadPipeline, VendorsBody } from './schema.ts';

const tag = 'Pipeline';

export const pipelineRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/pipeline',
    operationId: 'getPipeline',
    tag,
    summary: 'Las cotizaciones del embudo de ventas',
    description: 'Todas las que pasan los filtros, sin páginas, por número descendente.',
    access: 'pipeline:view',
    feature: 'pipeline',
    query: ReadPipeline,
    responses: { 200: { description: 'Las cotizaciones', schema: PipelineBody } },
    handle: async ({ caller, query }) => ({
      status: 200,
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: await readPipeline(deps, caller, query),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/pipeline/vendors',
    operationId: 'listVendors',
    tag,
    summary: 'Los usuarios activos, para filtrar por vendedor',
    description: 'Quien aún no acepta su invitación no está entre ellos.',
    access: 'quotes:read_all',
    feature: 'pipeline',
    responses: { 200: { description: 'Por nombre', schema: VendorsBody } },
    handle: ({ caller: { tenantId }, inTenant }) =>
      inTenant(async (trx) => {
        const users = await User.query(trx)
          .where({ tenantId, isActive: true })
          .where((either) => void either.whereNull('invitedAt').orWhereNotNull('acceptedAt'))
          .orderBy(['name', 'id']);
        return { data: users.map(({ id, name, email }) => ({ id, name, email })) };
      }),
  }),
];

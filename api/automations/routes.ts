import { Type } from 'typebox';
import { automationNotFound, labelNotFound, limitReached, quoteNotFound } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { Done, done, IdParams, paged } from '../schema.ts';
import { checkAutomation } from './check.ts';
import { automationSummary, automationWithLogs, logBody, savedAutomation } from './present.ts';
import { findAutomation, listAutomations, listLogs } from './queries.ts';
import {
  AutomationSummary,
  AutomationWithLogs,
  CreateAutomation,
  ListLogs,
  LogPage,
  SavedAutomation,
  TestAutomation,
  TestOutcome,
  UpdateAutomation,
} from './schema.ts';
import { testAutomation } from './dry-run.ts';
import { createAutomation, deleteAutomation, updateAutomation } from './write.ts';

const common = { tag: 'Automations', access: 'config:manage', feature: 'automations' } as const;
/** Number of runs in the response for one automation. */
const FIRST_PAGE_OF_RUNS = { page: 1, limit: 10 };

export const automationRoutes = (deps: Deps): readonly Route[] => [
  route({
    ...common,
    method: 'GET',
    path: '/api/automations',
    operationId: 'listAutomations',
    summary: 'Lista las automatizaciones',
    responses: { 200: { description: 'De la más nueva a la más antigua', schema: Type.Array(AutomationSummary) } },
    handle: ({ caller: { tenantId }, inTenant }) =>
      inTenant(async (trx) => (await listAutomations(trx, tenantId)).map(automationSummary)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/automations',
    operationId: 'createAutomation',
    summary: 'Crea una automatización',
    description:
      'Cuando sucede `trigger` y todas las condiciones se cumplen, hace las acciones en orden, `delayMinutes` después. ' +
      'Los textos se comparan tal cual con eq y neq, y sin distinguir mayúsculas con contains y starts_with. Un campo ' +
      '`items.` se cumple cuando lo cumple al menos una partida.',
    idempotency: 'transaction',
    body: CreateAutomation,
    responses: { 201: { description: 'La automatización', schema: SavedAutomation } },
    refusals: [labelNotFound(), limitReached('automations')],
    handle: async ({ caller, body, signal, transact }) => {
      await checkAutomation(deps, body, { key: caller.tenantId, signal });
      return transact(async (trx) => ({
        status: 201,
        body: savedAutomation(await createAutomation(trx, caller, body)),
      }));
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/automations/:id',
    operationId: 'getAutomation',
    summary: 'Una automatización con sus últimas ejecuciones',
    params: IdParams,
    responses: { 200: { description: 'La automatización', schema: AutomationWithLogs } },
    refusals: [automationNotFound()],
    handle: ({ caller: { tenantId }, params, inTenant }) =>
      inTenant(async (trx) => {
        const automation = await findAutomation(trx, tenantId, params.id);
        const { logs } = await listLogs(trx, automation, FIRST_PAGE_OF_RUNS);
        return automationWithLogs(automation, logs);
      }),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: '/api/automations/:id',
    operationId: 'updateAutomation',
    summary: 'Cambia una automatización',
    description: 'Lo que no se da, queda como está. Las ejecuciones en curso siguen como empezaron.',
    params: IdParams,
    body: UpdateAutomation,
    responses: { 200: { description: 'La automatización', schema: SavedAutomation } },
    refusals: [automationNotFound(), labelNotFound()],
    handle: async ({ caller, params, body, signal, inTenant }) => {
      await checkAutomation(deps, body, { key: caller.tenantId, signal });
      return inTenant(async (trx) => savedAutomation(await updateAutomation(trx, caller, params.id, body)));
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/api/automations/:id',
    operationId: 'deleteAutomation',
    summary: 'Borra una automatización y sus ejecuciones',
    params: IdParams,
    responses: { 200: { description: 'Borrada', schema: Done } },
    refusals: [automationNotFound()],
    handle: ({ caller, params, inTenant }) => inTenant((trx) => deleteAutomation(trx, caller, params.id).then(done)),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/automations/:id/logs',
    operationId: 'listAutomationLogs',
    summary: 'Las ejecuciones de una automatización',
    params: IdParams,
    query: ListLogs,
    responses: { 200: { description: 'Una página, de la más nueva a la más antigua', schema: LogPage } },
    refusals: [automationNotFound()],
    handle: ({ caller: { tenantId }, params, query, inTenant }) =>
      inTenant(async (trx) => {
        const automation = await findAutomation(trx, tenantId, params.id);
        const { logs, total } = await listLogs(trx, automation, query);
        const { data, ...counts } = paged(logs.map(logBody), { ...query, total });
        return { logs: data, ...counts };
      }),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/automations/:id/test',
    operationId: 'testAutomation',
    summary: 'Prueba una automatización con una cotización, sin hacer nada',
    idempotency: 'none',
    params: IdParams,
    body: TestAutomation,
    responses: { 200: { description: 'Qué condiciones se cumplen y qué se haría', schema: TestOutcome } },
    refusals: [automationNotFound(), quoteNotFound()],
    handle: ({ caller, params, body, inTenant }) =>
      inTenant((trx) => testAutomation(deps, trx, caller, { automationId: params.id, quoteId: body.quoteId })),
  }),
];

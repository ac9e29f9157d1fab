import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { createWorkflowExecutions } from '../../api/workflow-executions.ts';
import { newId } from '../../db/ids.ts';
import { lifecycleStart } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { needs, testStack } from '../stack.ts';
import * as build from './build.ts';
import { type Service, service } from './service.ts';

needs('temporal');

describe('GET /api/quotes/:id/runs', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });

  it('answers 200 with the quote’s workflow executions and their pages in Temporal’s UI', async () => {
    const { tenantId, owner } = await build.business();
    const { id: quoteId } = await build.quote(owner);
    const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } = app.deps.config;
    const connection = await Connection.connect({ address: TEMPORAL_ADDRESS });
    const temporal = new Client({ connection, namespace: TEMPORAL_NAMESPACE });
    const tenantSlug = `t-${newId().slice(1, 9)}`;
    const start = lifecycleStart({ tenantId, quoteId, tenantSlug, quoteNumber: 1, status: 'GENERATED' }, null);
    const handle = await temporal.workflow.start('quoteLifecycle', start);

    const run = await eventually(async () => {
      const res = await app.get(`/api/quotes/${quoteId}/runs`, owner);
      assert.equal(res.status, 200);
      assert.equal(res.body.length, 1, 'Temporal has not listed it yet');
      return res.body[0];
    });
    await handle.terminate();
    await connection.close();

    const { startTime, url, ...rest } = run;
    assert.deepEqual(rest, {
      workflowId: `quote.${tenantSlug}.COT-1`,
      runId: handle.firstExecutionRunId,
      type: 'quoteLifecycle',
      status: 'RUNNING',
      closeTime: null,
    });
    assert.ok(Date.parse(startTime) <= Date.now());
    const { env } = await testStack();
    const page = `/namespaces/${TEMPORAL_NAMESPACE}/workflows/quote.${tenantSlug}.COT-1/${rest.runId}/history`;
    assert.equal(url, env['TEMPORAL_UI_URL'] === undefined ? null : env['TEMPORAL_UI_URL'] + page);
  });

  it('answers 200 with [] for a quote that nothing ran for', async () => {
    const { owner } = await build.business();
    const { id } = await build.quote(owner);

    const res = await app.get(`/api/quotes/${id}/runs`, owner);

    assert.deepEqual([res.status, res.body], [200, []]);
  });

  it('answers «Servicio no disponible, intente más tarde» without Temporal', async () => {
    const connection = Connection.lazy({ address: '127.0.0.1:1', connectTimeout: '1s' });
    const runs = createWorkflowExecutions(connection, { namespace: 'default', uiUrl: undefined });

    await assert.rejects(runs.ofQuote({ tenantId: newId(), quoteId: newId() }), {
      kind: 'unavailable',
      reason: 'service_unavailable',
      message: 'Servicio no disponible, intente más tarde',
    });
    await connection.close();
  });
});

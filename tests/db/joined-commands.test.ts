import assert from 'node:assert/strict';
import { connect } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { createPipelinedRead, type NamedStatement, type PipelinedRead } from '../../db/pipeline.ts';
import { countStatements, type Counter } from '../../bench/lib/statements.ts';
import { type TestDatabase, testDatabase } from './database.ts';

const echo = (value: unknown): NamedStatement => ({
  name: 'test-echo',
  text: `select $1::text as value, current_setting('app.tenant_id') as tenant`,
  values: [value],
});
const divide = (by: number): NamedStatement => ({ name: 'test-divide', text: 'select 6 / $1::int as n', values: [by] });

describe('statements that a connection has prepared', () => {
  let counter: Counter<{ appUrl: string }>;
  let one: TestDatabase['app'];
  let read: PipelinedRead;
  const tenantId = newId();
  before(async () => {
    const { urls } = await testDatabase();
    counter = await countStatements({ appUrl: urls.app });
    one = connect({ url: counter.database.appUrl, pool: 1, applicationName: 'quoting-test' });
    read = createPipelinedRead(one);
  });
  after(async () => {
    await one.destroy();
    counter.close();
  });

  it('leave with the commands around them as one message when their values are ids and integers', async () => {
    const asked = [echo(tenantId), divide(2)];

    const messages = await counter.of(() => read(tenantId, asked));

    assert.equal(messages, 1);
    assert.deepEqual(await read(tenantId, asked), [[{ value: tenantId, tenant: tenantId }], [{ n: 3 }]]);
  });

  it('never have other values in their text', async () => {
    const hostile = [`'); commit; --`, `${tenantId}'`, 'c\n', '1.5', null, `c${'A'.repeat(24)}`];

    const messages = await counter.of(() => read(tenantId, hostile.map(echo)));
    const answers = await read(tenantId, hostile.map(echo));

    assert.equal(messages, hostile.length + 2, 'those that begin, each statement, and the commit');
    assert.deepEqual(
      answers,
      hostile.map((value) => [{ value, tenant: tenantId }]),
    );
  });

  it('leave neither transaction nor tenant on the connection when one fails within the message', async () => {
    await read(tenantId, [echo(tenantId), divide(1)]);

    await assert.rejects(read(tenantId, [echo(tenantId), divide(0), echo(tenantId)]), { code: '22012' });

    const state = `select coalesce(current_setting('app.tenant_id', true), '') as tenant, now() = statement_timestamp() as alone`;
    assert.deepEqual((await one.raw(state)).rows, [{ tenant: '', alone: true }]);
  });

  it('are planned for all values, not again for each execution', async () => {
    const page = { name: 'test-page', text: 'select id from quotes order by id limit $1', values: [20] };
    for (let time = 0; time < 3; time++) await read(tenantId, [page]);

    const { rows } = await one.raw(
      `select generic_plans::int as general, custom_plans::int as own from pg_prepared_statements where name = 'test-page'`,
    );

    assert.deepEqual(rows, [{ general: 3, own: 0 }]);
  });
});

import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { workflowBundlePath } from '../../worker/workflow-bundle.ts';
import './quiet.ts';
import { bundleChanged } from './variant.ts';

describe('workflow bundle', () => {
  it('contains our workflows, and nothing that leaves the sandbox', async () => {
    assert.match(await readFile(await workflowBundlePath(), 'utf8'), /quoteLifecycle/);
  });

  for (const [name, complaint] of [
    ['fs', /disallowed modules.*\bfs\b/s],
    ['node:fs', /Reading from "node:fs" is not handled/],
  ] as const) {
    it(`cannot be built when a workflow uses ${name}`, async () => {
      const reach = (source: string) =>
        `import { readFileSync } from '${name}';\n${source}\nexport const read = () => readFileSync('/etc/hosts');\n`;

      await assert.rejects(bundleChanged('workflows/send-quote.ts', reach), complaint);
    });
  }

  it('contains no code of OpenTelemetry, unless it is the one for tracing', async () => {
    const [plain, traced] = await Promise.all(
      [false, true].map(async (isTraced) => readFile(await workflowBundlePath({ isTraced }), 'utf8')),
    );

    assert.doesNotMatch(plain ?? '', /node_modules\/@opentelemetry|OpenTelemetryInboundInterceptor/);
    assert.match(traced ?? '', /OpenTelemetryInboundInterceptor/);
  });

  it('contains no time zones: their data change, and executions must replay', async () => {
    const bundle = await readFile(await workflowBundlePath(), 'utf8');

    assert.doesNotMatch(bundle, /temporal-polyfill|domain\/zone\.ts/);
  });

  it('is built once for unchanged sources', async () => {
    const path = await workflowBundlePath();
    const { mtimeMs } = await stat(path);

    assert.equal(await workflowBundlePath(), path);
    assert.equal((await stat(path)).mtimeMs, mtimeMs);
  });
});

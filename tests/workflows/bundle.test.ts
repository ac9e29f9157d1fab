import assert from 'node:assert/strict';
import { readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workflowBundlePath, writeBundle } from '../../activities/workflow-bundle.ts';
import './quiet.ts';
import { bundleChanged } from './variant.ts';

describe('The workflow bundle', () => {
  it('contains our workflows, none of which leaves the sandbox', async () => {
    const target = join(tmpdir(), `quoting-bundle-${process.pid}.js`);
    try {
      await writeBundle(target);
      assert.match(await readFile(target, 'utf8'), /quoteLifecycle/);
    } finally {
      await rm(target, { force: true });
    }
  });

  for (const [name, complaint] of [
    ['fs', /disallowed modules.*\bfs\b/s],
    ['node:fs', /Reading from "node:fs" is not handled/],
  ] as const) {
    it(`is not built when a workflow uses ${name}`, async () => {
      const reach = (source: string) =>
        `import { readFileSync } from '${name}';\n${source}\nexport const read = () => readFileSync('/etc/hosts');\n`;

      await assert.rejects(bundleChanged('workflows/send-quote.ts', reach), complaint);
    });
  }

  it('contains no OpenTelemetry code, except the tracing bundle', async () => {
    const [plain, traced] = await Promise.all(
      [false, true].map(async (isTraced) => readFile(await workflowBundlePath({ isTraced }), 'utf8')),
    );

    assert.doesNotMatch(plain ?? '', /node_modules\/@opentelemetry|OpenTelemetryInboundInterceptor/);
    assert.match(traced ?? '', /OpenTelemetryInboundInterceptor/);
  });

  it('contains no time zone data, which change while histories must replay', async () => {
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

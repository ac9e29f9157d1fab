import assert from 'node:assert/strict';
import { apiRoutes } from '../../api/app.ts';
import { service } from '../api/service.ts';
import { needs } from '../stack.ts';
import { filesOf, readFiles, writeFiles } from '../journey/examples/files.ts';
import { story } from '../journey/examples/story.ts';

needs('temporal', 'storage', 'inbox');

describe('Examples of the OpenAPI document', () => {
  it('equal the responses of the service in api/openapi/examples; after a change run `npm run openapi:examples`', async function () {
    // Some two hundred calls, one after the other.
    this.timeout(600_000);

    const examples = await story();
    const now = filesOf(examples, apiRoutes((await service()).deps));

    // oxlint-disable-next-line node/no-process-env -- set by `npm run openapi:examples`, not a setting of the product
    if (process.env['WRITE_EXAMPLES']) writeFiles(now);

    const committed = readFiles();
    assert.deepEqual(comparable(now), comparable(committed));
  });
});

/** Without what may differ between runs on a slow machine: which call a time is attributed to. */
const comparable = (content: unknown): unknown =>
  JSON.parse(JSON.stringify(content).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'));

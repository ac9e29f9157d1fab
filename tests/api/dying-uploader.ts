import { createServer } from 'node:http';
import { readApiConfig } from '../../adapters/config.ts';
import { reportReady } from '../../adapters/process.ts';
import { createApp } from '../../api/app.ts';
import { compose } from '../../api/compose.ts';

/** The API, killed as soon as an attachment is stored, before a quote refers to it. */

const config = readApiConfig();
const { deps } = compose(config);
const put: typeof deps.storage.put = async (...file) => {
  await deps.storage.put(...file);
  process.kill(process.pid, 'SIGKILL');
};

const handle = createApp({ ...deps, storage: { ...deps.storage, put } }).callback();
createServer((request, response) => void handle(request, response)).listen(config.PORT, config.HOST, reportReady);

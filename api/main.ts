import { createServer } from 'node:http';
import { readApiConfig } from '../adapters/config.ts';
import { onShutdown, reportReady } from '../adapters/process.ts';
import { createApp } from './app.ts';
import { compose } from './compose.ts';

// The API process. Any number of them may run.
const config = readApiConfig();
const { deps, close } = compose(config);
const handle = createApp(deps).callback();
// Larger than a URL may be, so that one that is too long gets our 413 and not Node's bare 431.
const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => void handle(request, response));
// A slow client may not hold a connection for ever.
server.headersTimeout = 10_000;
server.requestTimeout = 30_000;
server.keepAliveTimeout = 65_000;
server.listen(config.PORT, config.HOST, () => {
  deps.log.info({ host: config.HOST, port: config.PORT }, 'the API listens');
  reportReady();
});

onShutdown(async () => {
  server.closeIdleConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await close();
});

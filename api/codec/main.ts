import { createServer } from 'node:http';
import { localAddress, writeHeartbeats } from '../../adapters/heartbeat-file.ts';
import { ConfigError, readCodecConfig } from '../../adapters/config.ts';
import { createLog } from '../../adapters/log.ts';
import { onShutdown, reportReady } from '../../adapters/process.ts';
import { createPayloadCodec } from '../../adapters/temporal/payload-codec.ts';
import { createCodecApp } from './app.ts';
import { createCodecSessions } from './session.ts';

// The codec server, for installations that set TEMPORAL_PAYLOAD_KEYS. It needs neither PostgreSQL nor Temporal.
const config = readCodecConfig();
const { TEMPORAL_PAYLOAD_KEYS: keys, TEMPORAL_UI_URL: uiUrl } = config;
if (keys === undefined || uiUrl === undefined) {
  throw new ConfigError('The codec server needs TEMPORAL_PAYLOAD_KEYS and TEMPORAL_UI_URL.');
}
const log = createLog({ level: config.LOG_LEVEL, name: 'codec' });
const uiOrigin = new URL(uiUrl).origin;
const app = createCodecApp({
  codec: createPayloadCodec(keys),
  sessions: createCodecSessions(config.CODEC_TOKEN),
  uiOrigin,
  // A page over https cannot call a server without TLS.
  secure: uiOrigin.startsWith('https:'),
  log,
});
const handle = app.callback();
const server = createServer((request, response) => void handle(request, response));
server.listen(config.CODEC_PORT, config.HOST, () => {
  log.info({ host: config.HOST, port: config.CODEC_PORT }, 'the codec server listens');
  writeHeartbeats('codec', localAddress(config.HOST, config.CODEC_PORT, '/healthz'));
  reportReady();
});

onShutdown(async () => {
  server.closeIdleConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

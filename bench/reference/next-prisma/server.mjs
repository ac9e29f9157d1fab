// Next's production server of this folder, which `next build` has built.
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import next from 'next';
import { ready } from '../ready.mjs';

const port = Number(process.env.PORT);
const app = next({ dir: fileURLToPath(new URL('.', import.meta.url)), hostname: '127.0.0.1', port });
await app.prepare();
const handle = app.getRequestHandler();
createServer((request, response) => void handle(request, response)).listen(port, '127.0.0.1', ready);

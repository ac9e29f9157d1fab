// An endpoint that answers at once.
import { createServer } from 'node:http';
import { ready } from './ready.mjs';

createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end('ok'));
}).listen(Number(process.env.PORT), '127.0.0.1', ready);

import { serveApi } from './serve.ts';

// The API process. Any number of them may run.
await serveApi();

import { fileURLToPath } from 'node:url';

// oxlint-disable-next-line import/no-default-export -- where Next looks for it
export default {
  // The peers' folder: Next would take the service's lock file above it for the root of this app.
  outputFileTracingRoot: fileURLToPath(new URL('..', import.meta.url)),
};

import type { WorkerConfig } from '../config.ts';

export type TemporalConfig = Pick<
  WorkerConfig,
  'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE' | 'TEMPORAL_TLS' | 'TEMPORAL_API_KEY'
>;

/** What both kinds of connection, the client's and the worker's, want to know. */
export const connectionOptions = (config: TemporalConfig) => ({
  address: config.TEMPORAL_ADDRESS,
  tls: config.TEMPORAL_TLS,
  ...(config.TEMPORAL_API_KEY === undefined ? {} : { apiKey: config.TEMPORAL_API_KEY }),
});

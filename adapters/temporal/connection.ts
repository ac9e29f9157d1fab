import type { DataConverter } from '@temporalio/common';
import type { WorkerConfig } from '../config.ts';
import { createPayloadCodec } from './payload-codec.ts';

export type TemporalConfig = Pick<
  WorkerConfig,
  'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE' | 'TEMPORAL_TLS' | 'TEMPORAL_API_KEY' | 'TEMPORAL_PAYLOAD_KEYS'
>;

/** What both kinds of connection, the client's and the worker's, want to know. */
export const connectionOptions = (config: TemporalConfig) => ({
  address: config.TEMPORAL_ADDRESS,
  tls: config.TEMPORAL_TLS,
  ...(config.TEMPORAL_API_KEY === undefined ? {} : { apiKey: config.TEMPORAL_API_KEY }),
});

/**
 * For our own calls, as against a worker's polling. The SDK would repeat a failed call until its deadline; whether to
 * repeat is the caller's to decide, who has somebody waiting (a share) or asks again anyway (the dispatcher). And gRPC would
 * wait up to two minutes before it looks again for a server that was away: ours is looked for every two seconds.
 */
export const clientOptions = (config: TemporalConfig) => ({
  ...connectionOptions(config),
  connectTimeout: '3s' as const,
  interceptors: [],
  channelArgs: { 'grpc.max_reconnect_backoff_ms': 2_000 },
});

/** What clients and workers must agree on: the namespace, and how its payloads are written. */
export interface NamespaceOptions {
  readonly namespace: string;
  /** Absent: payloads are plain. */
  readonly dataConverter?: DataConverter;
}

export const namespaceOptions = ({
  TEMPORAL_NAMESPACE: namespace,
  TEMPORAL_PAYLOAD_KEYS: keys,
}: Pick<TemporalConfig, 'TEMPORAL_NAMESPACE' | 'TEMPORAL_PAYLOAD_KEYS'>): NamespaceOptions =>
  keys === undefined ? { namespace } : { namespace, dataConverter: { payloadCodecs: [createPayloadCodec(keys)] } };

import { Type } from 'typebox';

const port = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description }));

/** Metrics and traces. Neither has a cost until it is switched on. */
export const observabilitySettings = {
  METRICS_PORT: port('port of /metrics, for Prometheus only, never for clients; not set: not served'),
  METRICS_HOST: Type.String({
    default: '127.0.0.1',
    description: 'address of /metrics; use 0.0.0.0 only where clients cannot reach the port',
  }),
  TEMPORAL_METRICS_PORT: port("port for the metrics of Temporal's SDK, on METRICS_HOST too; not set: not served"),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+$',
      description: 'receiver of traces over OTLP/HTTP, such as `http://collector:4318`; not set: no traces',
    }),
  ),
};

/** Read by every process that serves. */
export const METRICS = ['METRICS_HOST', 'METRICS_PORT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const;

/** Conflicting settings: two metrics pages on one port of one process. */
export const clashingPorts = (given: Readonly<Record<string, unknown>>): readonly string[] =>
  given['TEMPORAL_METRICS_PORT'] !== undefined && given['TEMPORAL_METRICS_PORT'] === given['METRICS_PORT']
    ? [
        "  TEMPORAL_METRICS_PORT: equals the worker's METRICS_PORT; choose another (with npm start the worker's port is one above the API's)",
      ]
    : [];

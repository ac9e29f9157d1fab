import { freePorts } from '../../dev/ports.ts';
import { install, type Installation } from '../installation.ts';
import { scrape, type Sample } from './figures.ts';
import { spanReceiver } from './spans.ts';

/** An installation with observability: traces go to a receiver, metrics are served. */
export interface Observed {
  readonly service: Installation;
  readonly traces: Awaited<ReturnType<typeof spanReceiver>>;
  readonly ports: { readonly api: number; readonly worker: number; readonly temporal: number };
  readonly api: () => Promise<readonly Sample[]>;
  readonly worker: () => Promise<readonly Sample[]>;
  readonly temporal: () => Promise<readonly Sample[]>;
}

let installing: Promise<Observed> | undefined;

export const observed = (): Promise<Observed> => (installing ??= observe());

async function observe(): Promise<Observed> {
  const traces = await spanReceiver();
  const [api = 0, worker = 0, temporal = 0] = await freePorts(3);
  const service = await install({
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      // The SDK's setting: how long it buffers spans, in milliseconds.
      OTEL_BSP_SCHEDULE_DELAY: '200',
      WEBHOOK_RETRY_SECONDS: '1,1',
      DATABASE_POOL: '4',
      LOG_LEVEL: 'info',
    },
    apart: {
      api: { settings: { METRICS_PORT: String(api) } },
      worker: { settings: { METRICS_PORT: String(worker), TEMPORAL_METRICS_PORT: String(temporal) } },
    },
  });
  return {
    service,
    traces,
    ports: { api, worker, temporal },
    api: () => scrape(api),
    worker: () => scrape(worker),
    temporal: () => scrape(temporal),
  };
}

// A root hook: this module is loaded while Mocha collects the tests, outside of any describe.
after(async () => {
  const made = await installing;
  await made?.service.remove();
  made?.traces.close();
});

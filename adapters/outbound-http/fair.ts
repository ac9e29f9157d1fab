import { createFairQueue, type QueueWatch, type PermitRequest } from '../fair-queue.ts';
import type { OutboundAnswer, OutboundHttp, OutboundRequest } from './client.ts';

/** Calls to users' addresses through fair queues between tenants, for requests that wait for the result. */
export interface FairOutboundHttp {
  /** As `OutboundHttp.problemOf`. */
  problemOf(url: string, permit: PermitRequest): Promise<string | undefined>;
  /** As `OutboundHttp.post`; throws only as the fair queue does. */
  post(request: OutboundRequest, permit: PermitRequest): Promise<OutboundAnswer>;
}

/** A silent host holds a permit for 5 s. */
const CALLS = { permits: 16, permitsPerKey: 8, maxWaitingPerKey: 8, maxWaiting: 64, retryAfterSeconds: 5 } as const;
/** A silent name server holds a permit for 2 s. One automation needs as many look-ups as it has actions. */
const LOOK_UPS = {
  permits: 32,
  permitsPerKey: 16,
  maxWaitingPerKey: 64,
  maxWaiting: 256,
  retryAfterSeconds: 2,
} as const;

/** Calls and look-ups have separate queues, so that a tenant whose endpoints hang can still save another address. */
export function createFairOutbound(
  outbound: OutboundHttp,
  { watch }: { readonly watch?: { readonly calls: QueueWatch; readonly lookUps: QueueWatch } } = {},
): FairOutboundHttp {
  const calls = createFairQueue({ ...CALLS, ...(watch && { watch: watch.calls }) });
  const lookUps = createFairQueue({ ...LOOK_UPS, ...(watch && { watch: watch.lookUps }) });
  return {
    problemOf: (url, permit) => lookUps.run(permit, () => outbound.problemOf(url)),
    post: (request, permit) => calls.run(permit, () => outbound.post(request)),
  };
}

import { standWhereTold } from './stand.ts';

// The worker. Outside of steps only its dispatcher's fan-out works for a tenant.
standWhereTold(() => ({ step: 'plan 1', who: 'relay' }));
await import('../../../activities/worker.ts');

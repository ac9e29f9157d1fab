import { standWhereTold } from './stand.ts';

// The worker. Outside of steps only its dispatcher fans out for a tenant.
standWhereTold(() => ({ step: 'fan-out 1', who: 'dispatcher' }));
await import('../../../worker/main.ts');

import { holdOnCommand } from './stand.ts';

// The worker. Outside of steps only its dispatcher fans out for a tenant.
holdOnCommand(() => ({ step: 'fan-out 1', who: 'dispatcher' }));
await import('../../../worker/main.ts');

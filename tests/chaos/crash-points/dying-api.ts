import { holdOnCommand } from './stand.ts';

// The API, called by one caller per business, one request after the other: transactions are counted from the last order
// on.
let counts = new Map<string, number>();
holdOnCommand(
  (tenantId = '') => {
    const count = (counts.get(tenantId) ?? 0) + 1;
    counts.set(tenantId, count);
    return { step: `request ${count}`, who: tenantId };
  },
  () => {
    counts = new Map();
  },
);
await import('../../../api/main.ts');

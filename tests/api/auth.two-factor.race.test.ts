import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { TwoFactor } from '../../db/models/two-factor.ts';
import { judgeCode, lockFactor } from '../../db/writes/second-factor.ts';
import * as build from './build.ts';
import { service } from './service.ts';

/** Sign-ins cannot show this: the lock of the user's row and password hashing order them. */
describe('Lock of the second factor', () => {
  it('a transaction reads the factor after the one before has counted its code, so a step is valid once', async () => {
    const { deps } = await service();
    const { tenantId, userId } = await build.business();
    await deps.withTenant(tenantId, (trx) =>
      TwoFactor.query(trx).insert({ tenantId, userId, secretSealed: 'x', enabledAt: new Date() }),
    );
    const typed = { stepOf: () => 7, recoveryHash: undefined };
    const reads = new EventEmitter();
    const [firstRead, secondRead] = [once(reads, 'first'), once(reads, 'second')];
    const judged = (name: string, until: () => Promise<unknown>) =>
      deps.withTenant(tenantId, async (trx) => {
        const factor = await lockFactor(trx, userId);
        assert.ok(factor);
        reads.emit(name);
        await until();
        return judgeCode(trx, factor, typed, new Date());
      });

    const first = judged('first', () => Promise.race([secondRead, sleep(500)]));
    await firstRead;
    const second = judged('second', () => first);

    const outcomes = await Promise.all([first, second]);
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['right', 'wrong'],
    );
  });
});

import sql from 'sql-template-tag';
import type { OnboardingStepName } from '../../domain/onboarding.ts';
import { OnboardingStep } from '../models/onboarding-step.ts';
import { named, type NamedStatement, send } from '../pipeline.ts';
import type { TenantTransaction } from '../with-tenant.ts';

/** Marks a step of the business as done, in the transaction that does it. The first time counts; repeating is harmless. */
export async function completeOnboardingStep(
  trx: TenantTransaction,
  tenantId: string,
  step: OnboardingStepName,
): Promise<void> {
  // Looked up first: an insert that conflicts would wait for every other transaction of a business's first moments.
  const done = await OnboardingStep.query(trx).findOne({ tenantId, name: step });
  if (!done) await send(trx, [onboardingStepDone(tenantId, step)]);
}

/** The same as a statement, for a step that is not known to be done. */
export const onboardingStepDone = (tenantId: string, step: OnboardingStepName): NamedStatement =>
  named(
    'complete-onboarding-step',
    sql`insert into onboarding_steps (tenant_id, name) values (${tenantId}, ${step}) on conflict (tenant_id, name) do nothing`,
  );

import type { OnboardingStepName } from '../../domain/onboarding.ts';
import { OnboardingStep } from '../models/onboarding-step.ts';
import type { TenantTransaction } from '../with-tenant.ts';

/** Marks a step of the business as done, in the transaction that does it. The first time counts; repeating is harmless. */
export async function completeOnboardingStep(
  trx: TenantTransaction,
  tenantId: string,
  step: OnboardingStepName,
): Promise<void> {
  // Looked up first: an insert that conflicts would wait for every other transaction of a business's first moments.
  const done = await OnboardingStep.query(trx).findOne({ tenantId, name: step });
  if (done) return;
  await OnboardingStep.query(trx).insert({ tenantId, name: step }).onConflict(['tenantId', 'name']).ignore();
}

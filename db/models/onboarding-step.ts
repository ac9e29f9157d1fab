import type { OnboardingStepName } from '../../domain/onboarding.ts';
import { Row } from './row.ts';

/** One row of `onboarding_steps`: a step that a business has completed. Steps still ahead have no row. */
export class OnboardingStep extends Row {
  static override readonly tableName = 'onboardingSteps';
  static override readonly idColumn = ['tenantId', 'name'];

  declare tenantId: string;
  declare name: OnboardingStepName; //  text + check
  declare completedAt: Date;
}

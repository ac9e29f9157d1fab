import type { OnboardingStepName } from '../../domain/onboarding.ts';
import { Row } from './row.ts';

/** A completed step of a business. Open steps have no row. */
export class OnboardingStep extends Row {
  static override readonly tableName = 'onboardingSteps';
  static override readonly idColumn = ['tenantId', 'name'];

  declare tenantId: string;
  declare name: OnboardingStepName; //  text + check
  declare completedAt: Date;
}

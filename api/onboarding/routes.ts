import { Type } from 'typebox';
import { OnboardingStep } from '../../db/models/onboarding-step.ts';
import { ONBOARDING_STEPS } from '../../domain/onboarding.ts';
import { type Route, route } from '../route.ts';
import { named, nullable, oneOf, timestamp } from '../schema.ts';

const OnboardingBody = named('Onboarding', {
  steps: Type.Array(
    named('OnboardingStep', {
      name: oneOf('OnboardingStepName', ONBOARDING_STEPS),
      completedAt: nullable(timestamp()),
    }),
  ),
});

export const onboardingRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/onboarding',
    operationId: 'getOnboarding',
    tag: 'Business',
    summary: 'Los primeros pasos del negocio',
    description: 'Todos los pasos, en orden; `completedAt` es nulo mientras falta uno.',
    access: 'authenticated',
    responses: { 200: { description: 'Los pasos', schema: OnboardingBody } },
    handle: ({ caller: { tenantId }, inTenant }) =>
      inTenant(async (trx) => {
        const rows = await OnboardingStep.query(trx).where({ tenantId });
        const completed = new Map(rows.map(({ name, completedAt }) => [name, completedAt.toISOString()]));
        const steps = ONBOARDING_STEPS.map((name) => ({ name, completedAt: completed.get(name) ?? null }));
        return { steps };
      }),
  }),
];

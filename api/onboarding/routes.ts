import { Type } from 'typebox';
import { OnboardingStep } from '../../db/models/onboarding-step.ts';
import { ONBOARDING_STEPS } from '../../domain/onboarding.ts';
import { type Route, route } from '../route.ts';
import { nullable, oneOf, timestamp } from '../schema.ts';

const OnboardingBody = Type.Object({
  steps: Type.Array(
    Type.Object({
      name: oneOf(ONBOARDING_STEPS),
      completedAt: nullable(timestamp()),
    }),
  ),
});

export const onboardingRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/onboarding',
    tag: 'Negocio',
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

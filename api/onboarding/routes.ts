import { Type } from 'typebox';
import { OnboardingStep } from '../../db/models/onboarding-step.ts';
import { ONBOARDING_STEPS } from '../../domain/onboarding.ts';
import type { Deps } from '../deps.ts';
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

export const onboardingRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/onboarding',
    tag: 'Negocio',
    summary: 'Los primeros pasos del negocio',
    description: 'Todos los pasos, en orden; `completedAt` es nulo mientras falta uno.',
    access: 'authenticated',
    responses: { 200: { description: 'Los pasos', schema: OnboardingBody } },
    handle: ({ caller: { tenantId } }) =>
      deps.withTenant(tenantId, async (trx) => {
        const rows = await OnboardingStep.query(trx).where({ tenantId });
        const completed = new Map(rows.map(({ name, completedAt }) => [name, completedAt.toISOString()]));
        const steps = ONBOARDING_STEPS.map((name) => ({ name, completedAt: completed.get(name) ?? null }));
        return { status: 200, body: { steps } };
      }),
  }),
];

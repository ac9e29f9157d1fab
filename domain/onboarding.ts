/** What a new business does first, in the order in which it is asked to (decisions, section 3). */
export const ONBOARDING_STEPS = ['company_info', 'first_quote'] as const;
export type OnboardingStepName = (typeof ONBOARDING_STEPS)[number];

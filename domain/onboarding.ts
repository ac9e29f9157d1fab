/** The first steps of a new business, in the order in which they are shown. */
export const ONBOARDING_STEPS = ['company_info', 'first_quote'] as const;
export type OnboardingStepName = (typeof ONBOARDING_STEPS)[number];

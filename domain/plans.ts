import { type Detail, planRequired } from './errors.ts';

export const PLANS = ['FREE', 'PRO'] as const;
export type Plan = (typeof PLANS)[number];

/** The features of the PRO plan that are refused on FREE, each with the sentence that its caller reads. */
const REFUSALS = {
  webhooks: 'Función disponible en el plan Pro',
  pipeline: 'Función disponible en el plan Pro',
  dashboard: 'Función disponible en el plan Pro',
  collaborators: 'Función disponible en el plan Pro',
  quote_versioning: 'Función no disponible en el plan actual',
  quote_duplication: 'Función disponible en el plan Pro',
  multi_currency: 'Función disponible en el plan Pro',
  audit_log_ui: 'Función disponible en el plan Pro',
  pdf_branding: 'Función disponible en el plan Pro',
  automations: 'Función disponible en el plan Pro',
  templates: 'Función disponible en plan PRO',
  connector: 'Función disponible en el plan Pro',
  share_link: 'Función disponible en el plan Pro',
  share_with_anyone: 'Función disponible en el plan Pro',
} as const;
export type RefusedFeature = keyof typeof REFUSALS;

/** The page of a FREE tenant's client is missing, not refused. */
export type Feature = RefusedFeature | 'client_portal';

/** The refusal of this feature on FREE. */
export const featureNotInPlan = (feature: RefusedFeature, details?: readonly Detail[]) =>
  planRequired(`${feature}_not_in_plan`, REFUSALS[feature], details);

export const hasFeature = (plan: Plan, _feature: Feature): boolean => plan === 'PRO';

/** Throws the feature's 403 on a plan without it. */
export function assertFeature(plan: Plan, feature: RefusedFeature): void {
  if (!hasFeature(plan, feature)) throw featureNotInPlan(feature);
}

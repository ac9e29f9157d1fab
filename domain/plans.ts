import { planRequired } from './errors.ts';

export const PLANS = ['FREE', 'PRO'] as const;
export type Plan = (typeof PLANS)[number];

/** The features of the PRO plan, each with the sentence that a FREE tenant reads. */
const REFUSALS = {
  webhooks: 'Función disponible en el plan Pro',
  pipeline: 'Función disponible en el plan Pro',
  dashboard: 'Función disponible en el plan Pro',
  collaborators: 'Función disponible en el plan Pro',
  digital_signatures: 'Función disponible en el plan Pro',
  quote_versioning: 'Función no disponible en el plan actual',
  quote_duplication: 'Función disponible en el plan Pro',
  multi_currency: 'Función disponible en el plan Pro',
  audit_log_ui: 'Función disponible en el plan Pro',
  client_portal: 'Función disponible en el plan Pro',
  pdf_branding: 'Función disponible en el plan Pro',
  automations: 'Función disponible en el plan Pro',
  templates: 'Función disponible en plan PRO',
  connector: 'Función disponible en el plan Pro',
  share_link: 'Función disponible en el plan Pro',
  share_with_anyone: 'Función disponible en el plan Pro',
} as const;
export type Feature = keyof typeof REFUSALS;

/** The refusal that a FREE tenant reads for this feature. */
export const planRefusal = (feature: Feature): string => REFUSALS[feature];

export const hasFeature = (plan: Plan, _feature: Feature): boolean => plan === 'PRO';

/** Throws the feature's 403 on a plan without it. */
export function assertFeature(plan: Plan, feature: Feature): void {
  if (!hasFeature(plan, feature)) throw planRequired(REFUSALS[feature]);
}

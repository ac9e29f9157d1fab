/** How many of these a business may have. Existing ones beyond a new limit stay usable. */
export const MAX_PER_TENANT = { webhooks: 50, automations: 100, apiKeys: 50 } as const;

export type Limited = keyof typeof MAX_PER_TENANT;

const NAMES: Readonly<Record<Limited, string>> = {
  webhooks: 'webhooks',
  automations: 'automatizaciones',
  apiKeys: 'claves de API',
};

/** The refusal of one more. */
export const limitSentence = (what: Limited): string =>
  `Se alcanzó el máximo de ${MAX_PER_TENANT[what]} ${NAMES[what]}`;

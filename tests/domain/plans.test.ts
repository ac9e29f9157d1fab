import assert from 'node:assert/strict';
import { ServiceError } from '../../domain/errors.ts';
import { assertFeature, hasFeature, type RefusedFeature } from '../../domain/plans.ts';

/** The refusal of each feature on FREE. The type requires a sentence here for each new feature. */
const SENTENCES: Record<RefusedFeature, string> = {
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
};
// The keys are those of the type above.
const FEATURES = Object.keys(SENTENCES) as RefusedFeature[];

function refusal(feature: RefusedFeature): unknown {
  try {
    return assertFeature('FREE', feature);
  } catch (error) {
    return error;
  }
}

describe('a PRO feature on the FREE plan', () => {
  for (const feature of FEATURES) {
    it(`is refused with «${SENTENCES[feature]}»: ${feature}`, () => {
      const error = refusal(feature);

      assert.ok(error instanceof ServiceError);
      assert.deepEqual(
        [error.kind, error.reason, error.message],
        ['plan_required', `${feature}_not_in_plan`, SENTENCES[feature]],
      );
    });
  }

  it('is absent when asked for', () => {
    assert.deepEqual(
      FEATURES.filter((feature) => hasFeature('FREE', feature)),
      [],
    );
  });
});

describe('a PRO feature on the PRO plan', () => {
  it('is present, each of them', () => {
    assert.deepEqual(
      FEATURES.filter((feature) => hasFeature('PRO', feature)),
      FEATURES,
    );
  });

  it('is not refused', () => {
    assert.doesNotThrow(() => FEATURES.forEach((feature) => assertFeature('PRO', feature)));
  });
});

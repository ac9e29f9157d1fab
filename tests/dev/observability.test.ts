import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { anchorsOf, document } from '../docs/documents.ts';
import { ALERTS_FILE, alertRules, type Dashboard, dashboards, metricsOf } from '../docs/observability-files.ts';
import { promtoolSays } from './promtool.ts';

/** The cells of Grafana's grid that a panel covers. */
const fieldsOf = ({ panels }: Dashboard): readonly string[] =>
  panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );

describe('deploy/observability', () => {
  it('has rules that Prometheus accepts', () => {
    assert.equal(promtoolSays(fileURLToPath(ALERTS_FILE)), '');
  });

  it('has an alert for each of these faults', () => {
    assert.deepEqual(
      alertRules().map(({ alert }) => alert),
      [
        'QuotingOutboxOld',
        'QuotingScheduleToStartSlow',
        'QuotingServerErrors',
        'QuotingWebhooksFail',
        'QuotingNonDeterminism',
        'QuotingReconcilerRestarts',
        'QuotingAuditChainBroken',
        'QuotingSignedPdfLost',
        'QuotingStoredFilesAmiss',
        'QuotingMailFails',
        'QuotingPoolExhausted',
        'QuotingEventLoopSlow',
        'QuotingNotScraped',
      ],
    );
  });

  it('has one section of docs/operations.md for each alert', () => {
    const anchors = [...anchorsOf(document('docs/operations.md'))].filter((anchor) => anchor.startsWith('quoting'));

    assert.deepEqual(
      alertRules().map(({ annotations }) => annotations.runbook),
      anchors.map((anchor) => `docs/operations.md#${anchor}`),
    );
    assert.deepEqual(
      alertRules().map(({ alert }) => alert.toLowerCase()),
      anchors,
    );
  });

  it('gives each alert a severity and a summary', () => {
    for (const { alert, labels, annotations } of alertRules()) {
      assert.match(labels.severity, /^(page|ticket)$/, alert);
      assert.match(annotations.summary, /^\S.{20,}/, alert);
    }
  });

  it('shows in its dashboards every metric that an alert uses', () => {
    const shown = new Set(
      dashboards()
        .flatMap(({ panels }) => panels.flatMap((panel) => panel.targets))
        .flatMap(({ expr }) => metricsOf(expr)),
    );

    assert.deepEqual(
      alertRules()
        .flatMap(({ expr }) => metricsOf(expr))
        .filter((name) => !shown.has(name)),
      [],
    );
  });

  for (const dashboard of dashboards()) {
    it(`${dashboard.file} has panels with a title and a question each, without overlaps`, () => {
      const fields = fieldsOf(dashboard);

      assert.match(dashboard.uid, /^quoting-/);
      assert.ok(dashboard.panels.length > 8, 'it has too few panels');
      assert.deepEqual(
        dashboard.panels.filter(({ title, targets }) => title === '' || targets.length === 0),
        [],
      );
      assert.equal(new Set(fields).size, fields.length);
    });
  }
});

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { anchorsOf, document } from './documents.ts';
import { ALERTS_FILE, alertRules, type Dashboard, dashboards, metricsOf } from './observability-files.ts';
import { promtoolSays } from './promtool.ts';

/** Fields of Grafana's grid that a panel covers. */
const fieldsOf = ({ panels }: Dashboard): readonly string[] =>
  panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );

describe('deploy/observability', () => {
  it('has rules that Prometheus takes', () => {
    assert.equal(promtoolSays(fileURLToPath(ALERTS_FILE)), '');
  });

  it('warns of what is worth waking somebody for', () => {
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

  it('has a section of docs/operations.md for each alert, and none without one', () => {
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

  it('says of each alert how urgent it is and what is wrong', () => {
    for (const { alert, labels, annotations } of alertRules()) {
      assert.match(labels.severity, /^(page|ticket)$/, alert);
      assert.match(annotations.summary, /^\S.{20,}/, alert);
    }
  });

  it('shows in its dashboards every metric that an alert is made of', () => {
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
    it(`${dashboard.file} has panels with a title and a question each, none on top of another`, () => {
      const fields = fieldsOf(dashboard);

      assert.match(dashboard.uid, /^quoting-/);
      assert.ok(dashboard.panels.length > 8, 'it has few panels');
      assert.deepEqual(
        dashboard.panels.filter(({ title, targets }) => title === '' || targets.length === 0),
        [],
      );
      assert.equal(new Set(fields).size, fields.length);
    });
  }
});

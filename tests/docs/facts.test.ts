import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describedSettings } from '../../adapters/config.ts';
import { apiChanges } from '../../dev/api-changes.ts';
import { MAX_DEPTH } from '../../domain/automation-chain.ts';
import { TRIGGERS } from '../../domain/automation.ts';
import { CONDITION_FIELDS, type ConditionField, conditionProblem, OPERATORS } from '../../domain/conditions.ts';
import { attemptsOf, MAX_FAILING_MS, RETRY_PAUSES_S } from '../../domain/delivery-schedule.ts';
import { FAILURES_TO_OPEN } from '../../domain/endpoint-breaker.ts';
import { SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import { TEXT_VARIABLES } from '../../domain/template-text.ts';
import { codesIn, document, ROOT, tableOf } from './documents.ts';
import { exampleTable } from './start-table.ts';

const automations = document('docs/guides/automations.md');
const webhooks = document('docs/guides/webhooks.md');

/** "5 min" in seconds. */
function seconds(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+) (s|min|h)$/.exec(text) ?? [];
  return Number(amount) * ({ s: 1, min: 60, h: 3600 }[unit] ?? Number.NaN);
}

describe('tables of the documents equal the code', () => {
  it('operations.md: every setting with its meaning, default and processes (npm run docs:config)', () => {
    const rows = tableOf(document('docs/operations.md'), 'setting').map(([name, about, fallback, readBy]) => ({
      name: codesIn(name ?? '')[0],
      about,
      fallback: fallback === 'empty' ? '' : codesIn(fallback ?? '')[0],
      readBy,
    }));

    const settings = describedSettings().map(({ name, description, fallback, readBy }) => ({
      name,
      about: description,
      fallback,
      readBy: readBy.join(', '),
    }));
    assert.deepEqual(rows, settings);
  });

  it('README.md: the last output of npm start', () => {
    const [block] = document('README.md').blocks.filter(({ info }) => info === 'table');

    assert.equal(block?.text, exampleTable());
  });

  it('changelog.md: every entry of CHANGELOG.md about the API (npm run docs:changelog)', () => {
    const shown = readFileSync(`${ROOT}docs/guides/changelog.md`, 'utf8').split(
      /<!-- api changes: (?:begin|end) -->/,
    )[1];

    const changes = apiChanges(readFileSync(`${ROOT}CHANGELOG.md`, 'utf8'));
    assert.equal(shown?.trim(), changes);
    assert.ok(changes.split('\n- ').length > 30);
  });

  it('automations.md: every field with exactly its operators', () => {
    const rows = tableOf(automations, 'field').flatMap(([fields, operators]) =>
      codesIn(fields ?? '').map((field) => [field, codesIn(operators ?? '')] as const),
    );

    const operatorsOf = (field: ConditionField) =>
      OPERATORS.filter((operator) => conditionProblem({ field, operator, value: 'x' })?.member !== 'operator');
    assert.deepEqual(
      new Map(rows.map(([field, operators]) => [field, operators.toSorted()])),
      new Map(rows.map(([field]) => [field, operatorsOf(field as ConditionField).toSorted()])), // the names of the next line
    );
    assert.deepEqual(rows.map(([field]) => field).toSorted(), [...CONDITION_FIELDS].toSorted());
  });

  it('automations.md: every trigger and variable, and the longest chain', () => {
    const triggers = tableOf(automations, 'trigger').flatMap(([trigger]) => codesIn(trigger ?? ''));
    const variables = codesIn(automations.prose.split('## Variables')[1]?.split('\n## ')[0] ?? '');

    assert.deepEqual(triggers, TRIGGERS);
    assert.deepEqual(
      variables,
      TEXT_VARIABLES.map((name) => `{{${name}}}`),
    );
    assert.match(automations.prose, new RegExp(`at most ${MAX_DEPTH} follow`));
  });

  it('webhooks.md: every event, every pause, the number of attempts, and the limits of circuit breaker and switch-off', () => {
    const events = tableOf(webhooks, 'event').flatMap(([event]) => codesIn(event ?? ''));
    const rows = tableOf(webhooks, 'attempt');
    const cells = [...rows.map(([, pause = '']) => pause), ...rows.map(([, , , pause = '']) => pause)];
    // The last cell is empty when the number of attempts is odd.
    const pauses = cells.filter((pause) => pause !== '').map(seconds);

    assert.deepEqual(events, SUBSCRIBABLE_EVENTS);
    assert.deepEqual(pauses, [0, ...RETRY_PAUSES_S]);
    assert.match(webhooks.prose, new RegExp(`A delivery has ${attemptsOf(RETRY_PAUSES_S)} attempts:`));
    assert.match(webhooks.prose, new RegExp(`after ${MAX_FAILING_MS / 86_400_000} days without a success`));
    assert.match(webhooks.prose, new RegExp(`After ${FAILURES_TO_OPEN} failures in a row`));
  });
});

import { ACTION_TYPES } from '../../../console/automations/action-fields.ts';
import { type Fields, type FormState, valueOf } from '../../../console/forms/form-state.ts';
import { CONDITION_FIELDS, conditionField } from '../../../domain/conditions.ts';

/** The buttons of the form that add, move and remove rows. */

type List = 'conditions' | 'actions';
type Row = ReadonlyMap<string, readonly string[]>;

interface Edited {
  readonly fields: Fields;
  /** The field that gets the focus. */
  readonly focus: string;
}

/** What a new action starts with; its other fields are empty. */
const ACTION_DEFAULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  send_email: { to: 'client' },
  create_reminder: { delayMinutes: '1', delayUnit: '1440' },
  fire_webhook: { includeItems: 'true' },
};

/** The form after one of these buttons; undefined when it was submitted to be saved. */
export function editedRows(form: FormState): Edited | undefined {
  const command = valueOf(form, 'do');
  if (command === 'add-condition') return withCondition(form);
  if (command === 'add-action') return withAction(form);
  const [, list, number, verb] = /^(conditions|actions)\.(\d{1,5})\.(remove|up)$/.exec(command) ?? [];
  if (list === undefined) return undefined;
  // The pattern names the two lists.
  return verb === 'up' ? moved(form, list as List, Number(number)) : removed(form, list as List, Number(number));
}

function withCondition(form: FormState): Edited {
  const rows = rowsOf(form.fields, 'conditions');
  const field = CONDITION_FIELDS.find((each) => each === valueOf(form, 'newCondition')) ?? 'status';
  const [operator] = conditionField(field).operators;
  const row = new Map([
    ['field', [field]],
    ['operator', [operator ?? 'eq']],
    ['value', ['']],
  ]);
  return { fields: withRows(form.fields, 'conditions', [...rows, row]), focus: `conditions.${rows.length}.operator` };
}

function withAction(form: FormState): Edited {
  const rows = rowsOf(form.fields, 'actions');
  const type = ACTION_TYPES.find((each) => each === valueOf(form, 'newAction')) ?? 'send_notification';
  const row = new Map(Object.entries({ type, ...ACTION_DEFAULTS[type] }).map(([name, value]) => [name, [value]]));
  return { fields: withRows(form.fields, 'actions', [...rows, row]), focus: `actions.${rows.length}` };
}

function removed(form: FormState, list: List, number: number): Edited {
  const rows = rowsOf(form.fields, list).filter((_, row) => row !== number);
  return { fields: withRows(form.fields, list, rows), focus: list === 'actions' ? 'newAction' : 'newCondition' };
}

function moved(form: FormState, list: List, number: number): Edited {
  const rows = [...rowsOf(form.fields, list)];
  const [row] = rows.splice(number, 1);
  const to = Math.max(0, number - 1);
  if (row) rows.splice(to, 0, row);
  return { fields: withRows(form.fields, list, rows), focus: `${list}.${to}` };
}

function rowsOf(fields: Fields, list: List): readonly Row[] {
  const rows = new Map<number, Map<string, readonly string[]>>();
  for (const [name, values] of fields) {
    const [, number, rest] = new RegExp(`^${list}\\.(\\d+)\\.(.+)$`).exec(name) ?? [];
    if (rest === undefined) continue;
    const row = rows.get(Number(number)) ?? new Map<string, readonly string[]>();
    rows.set(Number(number), row.set(rest, values));
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
}

const withRows = (fields: Fields, list: List, rows: readonly Row[]): Fields =>
  new Map([
    ...[...fields].filter(([name]) => !name.startsWith(`${list}.`)),
    ...rows.flatMap((row, number) =>
      [...row].map(([name, values]): [string, readonly string[]] => [`${list}.${number}.${name}`, values]),
    ),
  ]);

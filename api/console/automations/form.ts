import { delayParts, DELAY_UNITS } from '../../../console/automations/words.ts';
import { type Fields, fieldsOf, type FormState, valueOf } from '../../../console/forms/form-state.ts';
import { newForm, type PostedForm } from '../form.ts';
import type { BodyOf, ResultOf } from '../operations.ts';

/** Members of a body that the form shows in another way: delays with a unit, headers as lines of text. */

type Automation = ResultOf<'getAutomation'>;

/** The form of an automation as it is. */
export function automationFields({ name, trigger, isActive, delayMinutes, conditions, actions }: Automation): Fields {
  return fieldsOf({
    name,
    trigger,
    isActive,
    ...delayFieldsOf(delayMinutes),
    conditions,
    actions: actions.map(actionFields),
  });
}

export const BLANK = newForm(
  fieldsOf({ name: '', trigger: '', isActive: true, delayMinutes: 0, delayUnit: '1' }),
).fields;

const delayFieldsOf = (minutes: number) => {
  const { amount, unit } = delayParts(minutes);
  return { delayMinutes: amount, delayUnit: String(unit.minutes) };
};

function actionFields(action: Automation['actions'][number]): object {
  switch (action.type) {
    case 'create_reminder':
      return { ...action, ...delayFieldsOf(action.delayMinutes) };
    case 'fire_webhook': {
      const { headers = {}, ...rest } = action;
      return {
        ...rest,
        headerLines: Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n'),
      };
    }
    default:
      return action;
  }
}

/** The body of a submitted form. */
export function automationBody<Id extends 'createAutomation' | 'updateAutomation'>(
  form: PostedForm,
  id: Id,
): BodyOf<Id> {
  const body: BodyOf<'updateAutomation'> = form.bodyFor(id);
  return {
    ...body,
    ...inMinutes(body, valueOf(form, 'delayUnit')),
    ...(body.actions && { actions: body.actions.map((action, row) => readAction(action, form, `actions.${row}.`)) }),
    // The same members as the body of `id`: only values of some differ.
  } as BodyOf<Id>;
}

type ActionInput = NonNullable<BodyOf<'updateAutomation'>['actions']>[number];

function readAction(action: ActionInput, form: FormState, prefix: string) {
  switch (action.type) {
    case 'create_reminder':
      return { ...action, ...inMinutes(action, valueOf(form, `${prefix}delayUnit`)) };
    case 'fire_webhook': {
      const headers = headersFrom(valueOf(form, `${prefix}headerLines`));
      return Object.keys(headers).length === 0 ? action : { ...action, headers };
    }
    default:
      return action;
  }
}

/** A delay that is no number stays as it is, for the check of the API. */
function inMinutes({ delayMinutes }: { readonly delayMinutes?: number }, unit: string) {
  const { minutes } = DELAY_UNITS.find((each) => String(each.minutes) === unit) ?? DELAY_UNITS[2];
  return typeof delayMinutes === 'number' ? { delayMinutes: delayMinutes * minutes } : {};
}

/** `Name: value` a line. A header that is given twice gets both values, as HTTP permits. */
function headersFrom(lines: string): Record<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, name = line, value = ''] = /^([^:]*):(.*)$/.exec(line) ?? [];
    const known = headers.get(name.trim());
    headers.set(name.trim(), known === undefined ? value.trim() : `${known}, ${value.trim()}`);
  }
  return Object.fromEntries(headers);
}

/** A refused form with the messages of headers at their field. */
export function withHeaderErrors(form: FormState): FormState {
  const errors = new Map<string, string>();
  for (const [path, message] of form.errors) {
    const [, action, name] = /^(actions\.\d+)\.headers(?:\.(.*))?$/.exec(path) ?? [];
    if (action === undefined) errors.set(path, message);
    else {
      const field = `${action}.headerLines`;
      const known = errors.get(field);
      const own = name === undefined ? message : `${name}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
      errors.set(field, known === undefined ? own : `${known}. ${own}`);
    }
  }
  return { ...form, errors };
}

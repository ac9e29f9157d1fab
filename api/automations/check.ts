import type { PermitRequest } from '../../adapters/fair-queue.ts';
import { actionTexts } from '../../domain/action-texts.ts';
import { assertNever } from '../../domain/assert-never.ts';
import type { AutomationAction } from '../../domain/automation.ts';
import { type Condition, conditionProblem } from '../../domain/conditions.ts';
import { type Detail, invalidInput, urlNotCallable } from '../../domain/errors.ts';
import { headerProblems } from '../../domain/http-delivery.ts';
import { unknownVariables } from '../../domain/template-text.ts';
import type { Deps } from '../deps.ts';

/** Rules about several members, checked when an automation is saved. Throws a 400 with all problems. */
export async function checkAutomation(
  { outbound }: Pick<Deps, 'outbound'>,
  body: {
    readonly conditions?: readonly Condition[] | undefined;
    readonly actions?: readonly AutomationAction[] | undefined;
  },
  permit: PermitRequest,
): Promise<void> {
  const details = [
    ...(body.conditions ?? []).flatMap(conditionDetails),
    ...(body.actions ?? []).flatMap((action, i) => actionDetails(action, `actions.${i}`)),
  ];
  if (details.length > 0) throw invalidInput(details);
  // Resolve host names only if everything else is valid.
  const checked = await Promise.all(
    (body.actions ?? []).map(async (action, i) => {
      const message = action.type === 'fire_webhook' ? await outbound.problemOf(action.url, permit) : undefined;
      return message === undefined ? [] : [{ path: `actions.${i}.url`, message }];
    }),
  );
  const refused = checked.flat();
  if (refused.length > 0) throw urlNotCallable(refused);
}

function conditionDetails(condition: Condition, i: number): readonly Detail[] {
  const problem = conditionProblem(condition);
  return problem ? [{ path: `conditions.${i}.${problem.member}`, message: problem.message }] : [];
}

function actionDetails(action: AutomationAction, path: string): readonly Detail[] {
  switch (action.type) {
    case 'send_email':
      return [
        ...(action.to === 'custom' && !action.customEmail
          ? [{ path: `${path}.customEmail`, message: 'es obligatorio' }]
          : []),
        ...textDetails(action, path),
      ];
    case 'send_notification':
    case 'create_reminder':
      return textDetails(action, path);
    case 'fire_webhook':
      return headerProblems(action.headers ?? {}).map(({ name, message }) => ({
        path: name === '' ? `${path}.headers` : `${path}.headers.${name}`,
        message,
      }));
    case 'change_status':
    case 'add_label':
      return [];
    default:
      return assertNever(action);
  }
}

const textDetails = (action: AutomationAction, path: string): readonly Detail[] =>
  Object.entries(actionTexts(action)).flatMap(([member, text]) =>
    unknownVariables(text).map((name) => ({
      path: `${path}.${member}`,
      message: `no existe la variable {{${name}}}`,
    })),
  );

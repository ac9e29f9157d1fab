import { assertNever } from './assert-never.ts';
import type { AutomationAction } from './automation.ts';

/** The texts of an action that may hold variables, by member. */
export function actionTexts(action: AutomationAction): Readonly<Record<string, string>> {
  switch (action.type) {
    case 'send_email':
      return { subject: action.subject, body: action.body };
    case 'send_notification':
      return { title: action.title, body: action.body };
    case 'create_reminder':
      return { message: action.message };
    case 'change_status':
    case 'add_label':
    case 'fire_webhook':
      return {};
    default:
      return assertNever(action);
  }
}

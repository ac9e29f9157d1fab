import type { ApplicationFailure } from '@temporalio/common';
import type { SecretBox } from '../adapters/crypto/secret-box.ts';
import { automationFacts } from '../db/reads/automation-facts.ts';
import { type AutomationRun, readRun } from '../db/reads/automation-run.ts';
import type { FullQuote } from '../db/reads/full-quote.ts';
import type { TenantTransaction } from '../db/with-tenant.ts';
import type { AutomationAction, AutomationFacts } from '../domain/automation.ts';
import { linkRefusal } from '../domain/client-link.ts';
import type { AutomationRunRef } from '../workflows/contract.ts';
import { failures } from '../workflows/failures.ts';
import { permanent } from './permanent-failure.ts';

/** One action of a run. */
export interface ActionRef extends AutomationRunRef {
  /** From 0. */
  readonly index: number;
}

export type ActionOf<Type extends AutomationAction['type']> = Extract<AutomationAction, { readonly type: Type }>;

/**
 * The action that a step is to do, with the run that it is part of. Final when the run was deleted meanwhile, and for an
 * action that is left out.
 */
export async function readAction<Type extends AutomationAction['type']>(
  trx: TenantTransaction,
  { logId, index }: ActionRef,
  type: Type,
): Promise<AutomationRun & { readonly action: ActionOf<Type> }> {
  const run = await readRun(trx, logId);
  if (!run) throw runGone();
  const action = run.actions[index];
  if (!action || !isOfType(action, type)) throw permanent(failures.actionInvalid, `la acción no es ${type}`);
  const refusal = linkRefusal(action, run.quote);
  if (refusal !== undefined) throw permanent(failures.actionSkipped, refusal);
  return { ...run, action };
}

const isOfType = <Type extends AutomationAction['type']>(
  action: AutomationAction,
  type: Type,
): action is ActionOf<Type> => action.type === type;

/** The run was deleted with its automation. */
export const runGone = (): ApplicationFailure => permanent(failures.runGone, 'la automatización fue eliminada');

/** What texts mention, with the client's link as it is now. */
export const factsOf = (
  trx: TenantTransaction,
  quote: FullQuote,
  { secrets, publicUrl }: { secrets: SecretBox; publicUrl: string },
): Promise<AutomationFacts> => {
  const token = secrets.open(quote.publicTokenSealed, { purpose: 'public_token', rowId: quote.id });
  return automationFacts(trx, quote, new URL(`/p/${token}`, publicUrl).href);
};

/**
 * An automation's effects may trigger other automations. No automation runs twice in one causal chain, and a chain
 * holds at most three, so that automations that trigger each other stop.
 */

/** The position of an event in its chain. */
export interface ChainLink {
  /** How many automations lie between the first event of the chain and this one. */
  readonly depth: number;
  /** Their ids, separated by commas; empty for the first event. */
  readonly automationPath: string;
}

/** The most automations in one chain. */
export const MAX_DEPTH = 3;

/** Whether this automation may run for an event at that position. */
export const mayTrigger = (automationId: string, { depth, automationPath }: ChainLink): boolean =>
  depth < MAX_DEPTH && !automationPath.split(',').includes(automationId);

/** The position of an event that this automation caused, given the position of the event that triggered it. */
export const chainAfter = (automationId: string, { depth, automationPath }: ChainLink): ChainLink => ({
  depth: depth + 1,
  automationPath: automationPath === '' ? automationId : `${automationPath},${automationId}`,
});

/**
 * What an automation does may trigger another one. Never the same twice in one causal chain, and no more than three of
 * them (decisions, section 6), so that two that trigger each other come to rest.
 */

/** Where an event stands in its chain. */
export interface ChainLink {
  /** How many automations lie between the event at the head and this one. */
  readonly depth: number;
  /** Their ids, separated by commas; empty at the head. */
  readonly automationPath: string;
}

/** So many automations may follow one another. */
export const MAX_DEPTH = 3;

/** Whether this automation may run because of an event that stands there. */
export const mayTrigger = (automationId: string, { depth, automationPath }: ChainLink): boolean =>
  depth < MAX_DEPTH && !automationPath.split(',').includes(automationId);

/** Where an event stands that this automation brought about, when an event that stands there had triggered it. */
export const chainAfter = (automationId: string, { depth, automationPath }: ChainLink): ChainLink => ({
  depth: depth + 1,
  automationPath: automationPath === '' ? automationId : `${automationPath},${automationId}`,
});

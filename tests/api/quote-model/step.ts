import assert from 'node:assert/strict';
import type { AsyncCommand } from 'fast-check';
import { type Command, isOf, type Model } from './model.ts';
import { apply } from './rules.ts';
import { bind, type Intent } from './intents.ts';
import type { World } from './world.ts';

/** One step: executes a command in service and model and compares both responses. */
export class Step implements AsyncCommand<{ now: Model }, World> {
  readonly #bound: (model: Model) => Command | undefined;
  #command: Command | undefined;

  private constructor(bound: (model: Model) => Command | undefined) {
    this.#bound = bound;
  }

  static wished(intent: Intent): Step {
    return new Step((model) => bind(model, intent));
  }

  /** A command as printed by a failure. Its quote may be missing if the service now behaves differently. */
  static known(command: Command): Step {
    return new Step((model) => ('quote' in command && !model.quotes.some(isOf(command.quote)) ? undefined : command));
  }

  check({ now }: Readonly<{ now: Model }>): boolean {
    return this.#bound(now) !== undefined;
  }

  async run(model: { now: Model }, world: World): Promise<void> {
    const command = this.#bound(model.now);
    assert.ok(command, 'check() was asked before');
    this.#command = command;
    const { model: after, response } = apply(model.now, command);
    assert.deepEqual(await world.perform(command), response);
    await learnLinks(world, model.now, after);
    model.now = after;
  }

  /** The command as fast-check prints it, for `found.ts`. */
  toString(): string {
    return JSON.stringify(this.#command);
  }
}

/** Records links that a command has replaced. */
export async function learnLinks(world: World, before: Model, after: Model): Promise<void> {
  for (const quote of after.quotes) {
    const known = before.quotes.find(isOf(quote));
    if (known && known.link !== quote.link) await world.learnLink(quote);
  }
}

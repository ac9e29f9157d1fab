import assert from 'node:assert/strict';
import type { AsyncCommand } from 'fast-check';
import { type Command, isOf, type Model } from './model.ts';
import { apply } from './rules.ts';
import { bind, type Wish } from './wishes.ts';
import type { World } from './world.ts';

/** One step of a story: carried out in the service, answered by the model, and both answers are one. */
export class Step implements AsyncCommand<{ now: Model }, World> {
  readonly #bound: (model: Model) => Command | undefined;
  #command: Command | undefined;

  private constructor(bound: (model: Model) => Command | undefined) {
    this.#bound = bound;
  }

  static wished(wish: Wish): Step {
    return new Step((model) => bind(model, wish));
  }

  /** A command as a failure printed it. Its quote may be missing where the service has gone another way. */
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
    const { model: after, answer } = apply(model.now, command);
    assert.deepEqual(await world.perform(command), answer);
    await learnLinks(world, model.now, after);
    model.now = after;
  }

  /** What fast-check prints of it: the command, to be kept among those that were found. */
  toString(): string {
    return JSON.stringify(this.#command);
  }
}

/** Learns the links that a command has replaced. */
export async function learnLinks(world: World, before: Model, after: Model): Promise<void> {
  for (const quote of after.quotes) {
    const known = before.quotes.find(isOf(quote));
    if (known && known.link !== quote.link) await world.learnLink(quote);
  }
}

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { runsOf } from '../runs.ts';
import { needs } from '../stack.ts';
import { FOUND, RACES } from './quote-model/found.ts';
import { emptyModel, read } from './quote-model/model.ts';
import { carryOut, hasSomeOrder, race } from './quote-model/races.ts';
import { Step } from './quote-model/step.ts';
import { wish } from './quote-model/wishes.ts';
import { makeWorld, type World } from './quote-model/world.ts';

needs('temporal', 'storage');

/** Made-up stories, compared with a model of the rules that shares no code with the service. FC_RUNS makes more of them. */
describe('The life of quotes', function stories() {
  this.timeout(60 * 60_000);
  let world: World;
  before(async () => {
    world = await makeWorld();
  });

  it('goes as the rules say, whatever three businesses, their members and clients do one after the other', async () => {
    const steps = fc.commands([wish().map((one) => Step.wished(one))], { maxCommands: 40, size: 'max' });

    await fc.assert(
      fc.asyncProperty(steps, async (commands) => {
        const model = { now: emptyModel() };
        await world.begin();
        await fc.asyncModelRun(() => ({ model, real: world }), commands);
        for (const quote of model.now.quotes) {
          const { events, entries } = quote;
          assert.deepEqual(await world.look(quote), {
            read: read(model.now, quote),
            events,
            entries: entries.toSorted(),
          });
        }
      }),
      { ...runsOf(20), examples: FOUND.map((story): [Step[]] => [story.map((command) => Step.known(command))]) },
    );
  });

  it('goes as if one came after the other when two or three do something with one quote at the same time, for readers too', async () => {
    await fc.assert(
      fc.asyncProperty(race, async (one) => {
        await world.begin();
        const { model, seen } = await carryOut(world, one);
        assert.ok(hasSomeOrder(model, one.commands, seen), `no order explains ${JSON.stringify(seen)}`);
      }),
      { ...runsOf(60), examples: RACES.map((one) => [one]) },
    );
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { runsOf } from '../runs.ts';
import { needs } from '../stack.ts';
import { FOUND, RACES } from './quote-model/found.ts';
import { emptyModel, read } from './quote-model/model.ts';
import { runRace, isLinearizable, race } from './quote-model/races.ts';
import { Step } from './quote-model/step.ts';
import { intent } from './quote-model/intents.ts';
import { makeWorld, type World } from './quote-model/world.ts';

needs('temporal', 'storage');

/** Random actions, compared with a model that shares no code with the service. FC_RUNS sets the number of runs. */
describe('Quotes compared with a model', function () {
  this.timeout(60 * 60_000);
  let world: World;
  before(async () => {
    world = await makeWorld();
  });

  it('random sequential actions of three businesses match the model', async () => {
    const steps = fc.commands([intent().map((one) => Step.wished(one))], { maxCommands: 40, size: 'max' });

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

  it('concurrent actions on one quote are linearizable, also for readers', async () => {
    await fc.assert(
      fc.asyncProperty(race, async (one) => {
        await world.begin();
        const { model, observed } = await runRace(world, one);
        assert.ok(isLinearizable(model, one.commands, observed), `no order explains ${JSON.stringify(observed)}`);
      }),
      { ...runsOf(60), examples: RACES.map((one) => [one]) },
    );
  });
});

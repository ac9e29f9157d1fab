import { EVENTS } from '../../../domain/event-types.ts';
import { receiver } from '../../api/receiver.ts';
import { service } from '../../api/service.ts';
import { testWorker } from '../../stack.ts';
import { rows } from '../../worker/dispatcher-world.ts';
import { access } from './access.ts';
import { account, leave, team } from './account.ts';
import { catalog } from './catalog.ts';
import { type Examples, examplesOf } from './collect.ts';
import { quotes, unanswered } from './quotes.ts';
import { createRecorder } from './recorder.ts';
import { care, connector, removal, reports } from './reports.ts';
import { refusals } from './refusals.ts';
import { rules, subscription } from './rules.ts';
import { settled } from './settled.ts';
import { createStable } from './stable.ts';

/** One business from its registration to its first accepted quote, with every operation of the API. */
export async function story(): Promise<Examples> {
  await testWorker();
  const app = await service();
  const recorder = createRecorder(app);
  await using endpoint = await receiver();

  const { tenantId } = await account(app, recorder);
  const wait = settled(tenantId);
  const { webhook } = await subscription(recorder, endpoint);
  const { colleague } = await team(app, recorder);
  const records = await catalog(recorder);
  const setUp = await rules(recorder, records.chair);
  await wait();
  const made = await quotes(app, recorder, records, { ...setUp, colleague }, wait);
  await reports(recorder, made);
  await connector(recorder, { ...setUp, ...records }, wait);
  await care(recorder, { ...setUp, webhook });
  await removal(recorder, endpoint);
  const late = await unanswered(recorder, records, endpoint);
  await refusals(app, recorder, { tenantId, colleague, webhook, ...records, ...setUp, ...made, ...late });
  await leave(app, recorder);
  await access(recorder);

  const [tenant] = await rows('select slug from tenants where id = $1', tenantId);
  const { literals } = recorder;
  literals.set(endpoint.url, 'https://erp.lapalma.example/avisos');
  for (const origin of [app.url, app.deps.config.PUBLIC_URL]) literals.set(origin, 'https://cotizaciones.example.com');
  literals.set(String(tenant?.['slug']), 'muebles-roble-4f8k2m');
  const stable = createStable({ exchanges: recorder.exchanges, literals, constants: [EVENTS, ...literals.values()] });
  return examplesOf(recorder.exchanges, endpoint.calls, stable);
}

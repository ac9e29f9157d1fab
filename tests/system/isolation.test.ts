import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import type { Installation } from '../installation.ts';
import { type MarkedBusiness, markedBusinesses, talkative } from '../journey/canary-world.ts';
import { type Artifact, documentsOf, historiesOf, logLines, mailsOf, pagesOf } from '../journey/traces.ts';

/** The business whose words, ids or secrets a text contains. */
const namedIn = (text: string, businesses: readonly MarkedBusiness[]): readonly MarkedBusiness[] =>
  businesses.filter(({ word, ids, secrets }) =>
    [word, ...ids, ...Object.values(secrets)].some((mark) => text.includes(mark)),
  );

describe('isolation: output for three similar businesses', function () {
  this.timeout(300_000);
  let service: Installation;
  let businesses: readonly MarkedBusiness[];
  before(async () => {
    service = await talkative();
    businesses = await markedBusinesses();
  });

  /** Artifacts of one business that name another, by kind. */
  const leaksIn = (artifacts: readonly Artifact[], whose: MarkedBusiness): readonly string[] =>
    artifacts.filter(({ text }) => namedIn(text, businesses).some((named) => named !== whose)).map(({ what }) => what);

  /** Holds for each business: there is at least one text, it names that business, and no other. */
  async function eachOwn(collect: (business: MarkedBusiness) => Promise<readonly Artifact[]>, atLeast: number) {
    for (const business of businesses) {
      const artifacts = await collect(business);
      assert.ok(artifacts.length >= atLeast, `only ${artifacts.map(({ what }) => what).join()}`);
      const silent = artifacts.filter(({ text }) => !namedIn(text, businesses).includes(business));
      assert.deepEqual(
        silent.map(({ what }) => what),
        [],
      );
      assert.deepEqual(leaksIn(artifacts, business), []);
    }
  }

  it('mails, with the text of their PDFs, name their own business only', () =>
    eachOwn((business) => mailsOf(service, business), 5));

  it('PDFs of the API and signed PDFs name their own business only', () =>
    eachOwn((business) => documentsOf(service, business), 2));

  it("clients' pages name their own business only", () => eachOwn((business) => pagesOf(service, business), 2));

  it('calls to webhooks, with their headers, name their own business only', () =>
    eachOwn(
      async ({ receiver }) => receiver.calls.map((call) => ({ what: call.path, text: JSON.stringify(call) })),
      5,
    ));

  it('no workflow execution names two businesses in input, result, memo or attributes; none names persons or secrets', async () => {
    const histories = await historiesOf(service);

    const named = histories.map(({ what, text }) => ({ what, by: namedIn(text, businesses) }));
    const wordy = histories.filter(({ text }) =>
      businesses.some(({ word, secrets }) => [word, ...Object.values(secrets)].some((mark) => text.includes(mark))),
    );
    assert.ok(businesses.every((business) => named.some(({ by }) => by.includes(business))));
    assert.deepEqual(
      named.filter(({ by }) => by.length > 1).map(({ what }) => what),
      [],
    );
    assert.deepEqual(
      wordy.map(({ what }) => what),
      [],
    );
  });

  it('the search reads payloads: an input, a result, a memo', async () => {
    const all = (await historiesOf(service)).map(({ text }) => text).join('\n');

    const unseen = ['reminderId', 'storageKey', 'requestId'].filter((member) => !all.includes(member));
    assert.deepEqual(unseen, []);
  });

  it('no log line names two businesses', async () => {
    const lines = await logLines(service);

    assert.ok(businesses.every((business) => lines.some(({ text }) => namedIn(text, businesses).includes(business))));
    assert.deepEqual(
      lines.filter(({ text }) => namedIn(text, businesses).length > 1).map(({ text }) => text),
      [],
    );
  });

  it('the search finds a note of one business in a quote of another in mail, PDF and page', async () => {
    const [mine, other] = businesses;
    assert.ok(mine && other);
    const before = (await mailsOf(service, mine)).length;
    // A signed quote is never drawn again, so this needs a quote without a decision.
    const { body } = await service.http.post(`/api/quotes/${mine.quoteId}/duplicate`, undefined, mine.owner);
    const open = { ...mine, quoteId: body.id, secrets: { ...mine.secrets, publicToken: body.publicToken } };
    await service.rows('update quotes set notes = $1 where id = $2', other.word, open.quoteId);

    const shared = await service.http.post(`/api/quotes/${open.quoteId}/share`, undefined, mine.owner);

    assert.equal(shared.status, 200);
    await eventually(async () => assert.equal((await mailsOf(service, mine)).length, before + 1));
    const leaks = [
      ...leaksIn(await mailsOf(service, mine), mine),
      ...leaksIn(await documentsOf(service, open), mine),
      ...leaksIn(await pagesOf(service, open), mine),
    ];
    assert.ok(leaks.length >= 3, leaks.join());
  });

  it('the search finds it in a log and in an execution too', async () => {
    const [mine, other] = businesses;
    assert.ok(mine && other);
    const [line] = (await logLines(service)).filter(({ text }) => namedIn(text, businesses).includes(mine));
    const [history] = (await historiesOf(service)).filter(({ text }) => namedIn(text, businesses).includes(mine));

    const mixed = [line, history].map((artifact) => ({ what: 'mixed', text: `${artifact?.text} ${other.ids[0]}` }));

    assert.deepEqual(leaksIn(mixed, mine), ['mixed', 'mixed']);
  });
});

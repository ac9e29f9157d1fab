import assert from 'node:assert/strict';
import type { Block } from './documents.ts';
import { OUTCOMES } from './guide-outcomes.ts';
import { RECEIVER } from './guide-runs.ts';
import { type Example, examplesOf, frontMatter, guide, guideNames, LANGUAGES } from './guides.ts';

/** Texts that no program sent and no run produced; `<?php`, types, arrows and spread values are code. */
const PLACEHOLDER =
  /…|\bYOUR[_-]|\b(?:TODO|FIXME|XXX+|lorem)\b|<(?:[a-z]+[-_ ])*(?:id|key|token|secret|name|url|host|value)>|example\.(?:com|org|net)|\bc?example\d*\b|\.\.\.(?![\w$([{])/i;
const ID = /\bc[a-z0-9]{24}\b/;

describe('guides', () => {
  const examples: readonly Example[] = guideNames().flatMap(examplesOf);
  const blocks = guideNames().flatMap((name) => guide(name).blocks);
  const places = (wrong: readonly Block[]) => wrong.map(({ document, line }) => `${document}:${line}`);

  it('have a title, which is their heading, and a description', () => {
    for (const name of guideNames()) {
      const { title, description } = frontMatter(name);
      assert.match(guide(name).prose, new RegExp(`^# ${title}$`, 'm'), name);
      assert.match(description ?? '', /^[A-Z].{20,160}\.$/, name);
    }
  });

  it('have an outcome for every example, and no other', () => {
    const named = examples.map(({ name }) => name);

    assert.deepEqual(
      named.toSorted(),
      [...Object.keys(OUTCOMES), RECEIVER, 'quick-start.md: Set the address and the key'].toSorted(),
    );
  });

  it('show each example in all five languages, unless it is a minor one for shell and TypeScript, or listens', () => {
    const incomplete = examples.filter(({ programs }) => LANGUAGES.some((language) => !programs[language]));

    const isMinor = ({ programs: { sh, python, php, go } }: Example) => sh !== undefined && !python && !php && !go;
    assert.deepEqual(
      incomplete.filter((example) => !isMinor(example)).map(({ name }) => name),
      [RECEIVER],
    );
    assert.ok(examples.length - incomplete.length > 20, `only ${examples.length - incomplete.length} are complete`);
  });

  it('name in their text every variable that their programs read', () => {
    const unnamed = guideNames().flatMap((name) => {
      const { prose } = guide(name);
      const code = guide(name)
        .blocks.filter(({ language }) => language === 'sh')
        .map(({ text }) => text);
      const exported = new Set(code.flatMap((text) => [...text.matchAll(/\bexport (\w+)=|^ *(\w+)=/gm)].flat()));
      const read = code.flatMap((text) => [...text.matchAll(/\$([A-Z][A-Z_]+)/g)].map(([, variable = '']) => variable));
      const isKnown = (variable: string) => exported.has(variable) || prose.includes(`\`${variable}\``);
      return [...new Set(read)].filter((variable) => !isKnown(variable)).map((variable) => `${name}: ${variable}`);
    });

    assert.deepEqual(unnamed, []);
  });

  it('have no placeholder text in their code and JSON', () => {
    assert.match('"id": "<id>"', PLACEHOLDER);
    assert.match('Bearer YOUR_KEY', PLACEHOLDER);
    assert.match('"cexample"', PLACEHOLDER);
    assert.match('"items": [...]', PLACEHOLDER);
    assert.doesNotMatch('<?php $a = array_map(fn ($x) => $x < 1, $b); Promise<void> a <- b', PLACEHOLDER);
    assert.deepEqual(places(blocks.filter(({ text }) => PLACEHOLDER.test(text))), []);
  });

  it('have ids only in JSON that a run recorded, none in code', () => {
    const recorded = new Set(examples.map(({ response }) => response?.text));
    const isRecorded = ({ info, text }: Block) => info.startsWith('event ') || recorded.has(text);

    assert.deepEqual(places(blocks.filter((block) => ID.test(block.text) && !isRecorded(block))), []);
  });
});

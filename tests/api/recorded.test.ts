import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type Recorded, specifiedFlow } from './recorded/flow.ts';

describe('Responses to a caller that knows only the specified members', () => {
  it('differ from the recorded ones only by added members', async () => {
    const file = new URL('recorded/responses.json', import.meta.url);
    // Written by recorded/record.ts.
    const recorded = JSON.parse(await readFile(file, 'utf8')) as Record<string, Recorded>;

    const now = await specifiedFlow();

    assert.deepEqual(Object.keys(now), Object.keys(recorded));
    assert.deepEqual(onlyMembersOf(recorded, now), recorded);
  });
});

/** The value without members that the recorded one lacks; of a file, the recorded columns. */
function onlyMembersOf(recorded: unknown, value: unknown): unknown {
  if (isCsv(recorded) && isCsv(value)) return firstColumns(recorded, value);
  if (Array.isArray(recorded) && Array.isArray(value))
    return value.map((element, index) => onlyMembersOf(recorded[index], element));
  if (!isObject(recorded) || !isObject(value)) return value;
  const kept = Object.keys(recorded).filter((name) => name in value);
  return Object.fromEntries(kept.map((name) => [name, onlyMembersOf(recorded[name], value[name])]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCsv = (value: unknown): value is string => typeof value === 'string' && value.startsWith('\ufeffNúmero,');

/** The start of each line that is as long as the recorded line: new columns are appended. */
function firstColumns(recorded: string, value: string): string {
  const rows = value.split('\r\n');
  const kept = recorded.split('\r\n').map((row, index) => rows[index]?.slice(0, row.length) ?? '');
  return [...kept, ...rows.slice(kept.length)].join('\r\n');
}

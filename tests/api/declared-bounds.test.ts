import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { dropsUnknown, line, oneOf } from '../../api/schema.ts';
import { bodyCheck } from '../../api/validation.ts';

describe('A schema for requests', () => {
  const unbounded: readonly [what: string, schema: Parameters<typeof bodyCheck>[0], path: string][] = [
    ['a text', dropsUnknown({ name: Type.String() }), '.name'],
    ['a list', dropsUnknown({ names: Type.Array(line(10)) }), '.names'],
    ['a text within a list', dropsUnknown({ names: Type.Array(Type.String(), { maxItems: 2 }) }), '.names[]'],
    ['a map', dropsUnknown({ map: Type.Unsafe({ type: 'object', additionalProperties: line(10) }) }), '.map'],
  ];
  for (const [what, schema, path] of unbounded) {
    it(`with unbounded ${what} fails when the routes are built`, () => {
      assert.throws(() => bodyCheck(schema), { message: `the schema of a request does not bound ${path}` });
    });
  }

  it('with bounds on all parts is accepted', () => {
    const check = bodyCheck(
      dropsUnknown({ names: Type.Array(line(10), { maxItems: 2 }), kind: oneOf('Kind', ['a', 'b']) }),
    );

    assert.deepEqual(check({ names: ['x'], kind: 'a' }), { names: ['x'], kind: 'a' });
  });
});

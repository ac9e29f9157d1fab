import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { bodyFrom } from '../../api/console/form-body.ts';
import { withoutBlankRows } from '../../api/console/posted-fields.ts';
import { fieldsOf, rowCount } from '../../console/forms/form-state.ts';
import { nullable, optionalLine } from '../../api/schema.ts';

const fields = (form: string) => {
  const found = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(form)) found.set(name, [...(found.get(name) ?? []), value]);
  return found;
};

const Line = Type.Object({
  name: Type.String(),
  quantity: Type.Optional(Type.Number()),
  taxes: Type.Optional(nullable(Type.Array(Type.String()))),
});
const Body = Type.Object({
  name: Type.String(),
  note: optionalLine(100),
  amount: Type.Optional(Type.Number()),
  count: Type.Optional(Type.Integer()),
  isActive: Type.Optional(Type.Boolean()),
  events: Type.Optional(Type.Array(Type.String())),
  address: Type.Optional(Type.Object({ city: Type.Optional(Type.String()) })),
  deposit: Type.Optional(nullable(Type.Object({ value: Type.Number() }))),
  items: Type.Optional(Type.Array(Line)),
  action: Type.Optional(
    Type.Union([
      Type.Object({ type: Type.Literal('mail'), to: Type.String() }),
      Type.Object({ type: Type.Literal('wait'), days: Type.Integer() }),
    ]),
  ),
});

const created = (form: string) => bodyFrom(fields(form), Body, false);
const changed = (form: string) => bodyFrom(fields(form), Body, true);

describe('The body of a form', () => {
  it('converts numbers and booleans by the schema, and leaves texts as they are', () => {
    assert.deepEqual(created('name=12.50&amount=12.50&count=3&isActive=true'), {
      name: '12.50',
      amount: 12.5,
      count: 3,
      isActive: true,
    });
  });

  it('reads thousands as they are written in Mexico, and keeps what is no number for the check of the API', () => {
    const values = ['1,250.00', '-3', ' 7 ', '1,25', '1e3', '0x10', 'doce', '1.2.3', 'Infinity'];

    assert.deepEqual(
      values.map((value) => created(new URLSearchParams({ amount: value }).toString())['amount']),
      [1250, -3, 7, '1,25', '1e3', '0x10', 'doce', '1.2.3', 'Infinity'],
    );
  });

  it('leaves out empty fields of a creation', () => {
    assert.deepEqual(created('name=&note=&amount=&deposit.value=&address.city='), {});
  });

  it('clears with empty fields of a change: null where the member can be null, else the empty text', () => {
    assert.deepEqual(changed('name=&note=&amount=&deposit='), { name: '', note: null, amount: '', deposit: null });
  });

  it('takes the last value, so that a check box wins over its companion', () => {
    assert.deepEqual(created('isActive=false'), { isActive: false });
    assert.deepEqual(created('isActive=false&isActive=true'), { isActive: true });
  });

  it('makes a list of check boxes with one name; the empty companion is an empty list', () => {
    assert.deepEqual(created('events=&events=a&events=b'), { events: ['a', 'b'] });
    assert.deepEqual(changed('events='), { events: [] });
  });

  it('makes rows of numbered fields, in the order of their numbers', () => {
    assert.deepEqual(created('items.10.name=b&items.2.name=a&items.2.quantity=2&items.2.taxes=IVA'), {
      items: [{ name: 'a', quantity: 2, taxes: ['IVA'] }, { name: 'b' }],
    });
  });

  it('chooses the branch of a union by its constant member', () => {
    assert.deepEqual(created('action.type=wait&action.days=3'), { action: { type: 'wait', days: 3 } });
    assert.deepEqual(created('action.type=mail&action.to=3'), { action: { type: 'mail', to: '3' } });
  });

  it('drops fields that the schema does not name, such as names of prototypes', () => {
    const body = created('name=a&tenantId=x&__proto__.polluted=1&constructor.prototype.polluted=1&address.__proto__=1');

    assert.deepEqual(Object.keys(body), ['name']);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });
});

describe('Rows of a form', () => {
  it('drops rows in which nothing is filled in, and numbers the others from 0', () => {
    const rows = withoutBlankRows(
      fields('items.0.name=&items.0.optional=false&items.3.name=a&items.7.name=&items.7.model=b&items.3.taxes.1=x'),
    );

    assert.deepEqual(
      [...rows],
      [
        ['items.0.name', ['a']],
        ['items.1.name', ['']],
        ['items.1.model', ['b']],
        ['items.0.taxes.0', ['x']],
      ],
    );
  });

  it('counts values that the form gives to new rows as empty', () => {
    const rows = withoutBlankRows(fields('items.0.name=a&items.0.quantity=1&items.1.name=&items.1.quantity=1'), {
      'items.*.quantity': '1',
    });

    assert.deepEqual([...rows.keys()], ['items.0.name', 'items.0.quantity']);
  });

  it('makes fields of a record, and counts its rows', () => {
    const made = fieldsOf({ name: 'a', note: null, isActive: true, items: [{ name: 'b' }, { name: 'c' }] });

    assert.deepEqual(
      [...made],
      [
        ['name', ['a']],
        ['note', ['']],
        ['isActive', ['true']],
        ['items.0.name', ['b']],
        ['items.1.name', ['c']],
      ],
    );
    assert.equal(rowCount({ fields: made }, 'items'), 2);
  });

  it('takes time in proportion to its fields: a quote of 1,000 lines', () => {
    const line = (row: number) => Array.from({ length: 10 }, (_, at) => `items.${row}.member${at}=value`).join('&');
    const form = fields(Array.from({ length: 1000 }, (_, row) => line(row)).join('&'));
    const startedAt = process.cpuUsage();

    bodyFrom(withoutBlankRows(form), Body, false);

    const { user, system } = process.cpuUsage(startedAt);
    assert.ok(user + system < 500_000, `${(user + system) / 1000} ms`);
  });
});

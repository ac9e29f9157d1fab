import { fieldsOf, type Fields, type FormState, rowCount, valueOf } from '../../../console/forms/form-state.ts';
import type { Settings } from '../../../console/settings/settings-view.ts';
import { taxesPage } from '../../../console/settings/taxes-page.ts';
import { Decimal } from '../../../domain/money.ts';
import type { Page } from '../declaration.ts';
import type { PostedForm } from '../form.ts';
import { resetPage, type Tab, tabPages } from './tab.ts';

/** The API takes fractions, people write percentages. */
const percentOf = (rate: string | number): string => new Decimal(rate).times(100).toFixed();
/** Texts that are no numbers stay, so that the API refuses them. */
const fractionOf = <Rate>(percent: Rate): Rate | number =>
  typeof percent === 'number' ? new Decimal(percent).div(100).toNumber() : percent;

const fields = ({ taxRate, taxes }: Settings): Fields =>
  fieldsOf({
    taxRate: taxRate === null ? null : percentOf(taxRate),
    taxes: taxes.map(({ code, name, rate, kind }) => ({ code, name, rate: percentOf(rate), kind })),
  });

function change(form: PostedForm) {
  const { taxRate, taxes, ...rest } = form.bodyFor('updateSettings');
  const isKept = (row: number): boolean => valueOf(form, `taxes.${row}.remove`) !== 'true';
  const kept = taxes?.filter((_, row) => isKept(row)).map((tax) => ({ ...tax, rate: fractionOf(tax.rate) }));
  const body = {
    ...rest,
    ...(taxRate !== undefined && { taxRate: fractionOf(taxRate) }),
    ...(kept && { taxes: kept }),
  };
  return { body, shown: (refused: FormState) => inPercent(withoutRemoved(refused, isKept)) };
}

/** The rows as they were sent, which the messages name. */
function withoutRemoved(form: FormState, isKept: (row: number) => boolean): FormState {
  const kept: [string, readonly string[]][] = [];
  const numbers = new Map<string, number>();
  for (let row = 0; row < rowCount(form, 'taxes'); row += 1) if (isKept(row)) numbers.set(String(row), numbers.size);
  for (const [name, values] of form.fields) {
    const [, row, member] = /^taxes\.(\d+)\.(.+)$/.exec(name) ?? [];
    const number = row === undefined ? undefined : numbers.get(row);
    if (row === undefined) kept.push([name, values]);
    else if (number !== undefined) kept.push([`taxes.${number}.${member}`, values]);
  }
  return { ...form, fields: new Map(kept) };
}

const OUT_OF_RANGE = 'Debe ser un porcentaje de 0 a 100';

/** The API speaks of fractions. */
function inPercent(form: FormState): FormState {
  const errors = [...form.errors].map(([name, message]): [string, string] => {
    const isRate = name === 'taxRate' || /^taxes\.\d+\.rate$/.test(name);
    const value = Number(valueOf(form, name));
    return [name, isRate && !(value >= 0 && value <= 100) ? OUT_OF_RANGE : message];
  });
  return { ...form, errors: new Map(errors) };
}

const TAXES: Tab = {
  tab: 'taxes',
  fields,
  change,
  show: taxesPage,
  rowDefaults: { 'taxes.*.kind': 'transfer' },
};

/** The general rate and the table of taxes. */
export const taxPages: readonly Page[] = [...tabPages(TAXES), resetPage('taxes', { taxes: null })];

import { type Fields, fieldsOf, type FormState, valueOf } from '../../../console/forms/form-state.ts';
import { money } from '../../../console/figures.ts';
import { type FoundProduct, templateFormPage } from '../../../console/templates/form-page.ts';
import { templateListPage } from '../../../console/templates/list-page.ts';
import { TEMPLATES_PATH } from '../../../console/templates/view.ts';
import { templateNotFound } from '../../../domain/errors.ts';
import { can } from '../../../domain/permissions.ts';
import { hasFeature } from '../../../domain/plans.ts';
import { type Page, page, type PageRequest, type PageResult } from '../declaration.ts';
import { newForm, type PostedForm } from '../form.ts';
import { bodyFrom } from '../form-body.ts';
import { idOf } from '../id-of.ts';
import type { BodyOf, ResultOf } from '../operations.ts';
import { submitted } from '../page.ts';
import { CreateTemplate } from '../../templates/schema.ts';
import { emptyRow, isBlank, rowsOf, withoutBlankLines, withRows } from '../quotes/editor/rows.ts';
import { rowOf } from './rows.ts';

const NEW = `${TEMPLATES_PATH}/new`;
const ONE = `${TEMPLATES_PATH}/:id`;
const MAX_FOUND = 8;

type Request = PageRequest<'config:manage'>;
type Template = ResultOf<'getTemplate'>;

/** What the form shows of a template. */
function fieldsOfTemplate({ items, deposit, ...template }: Template): Fields {
  const own = fieldsOf({ ...template, deposit: deposit ?? { type: null, value: null, note: null } });
  return withRows(own, items.map(rowOf));
}

/** The template of the page; a deleted one counts as missing. */
async function read({ call, ...request }: Request): Promise<Template> {
  const template = await call('getTemplate', { params: idOf(request) });
  if (!template.isActive) throw templateNotFound();
  return template;
}

const BUTTON = 'do';

/** The form after a button that changes only what it shows. */
async function changed(
  { call }: Request,
  form: FormState,
): Promise<{ readonly fields: Fields; readonly found?: readonly FoundProduct[] }> {
  const [action = '', argument = ''] = valueOf(form, BUTTON).split('.');
  const fields = new Map([...form.fields].filter(([name]) => name !== BUTTON));
  const rows = rowsOf(fields);
  if (action === 'add') return { fields: withRows(fields, [...rows, emptyRow(rows.at(-1))]) };
  if (action === 'remove')
    return {
      fields: withRows(
        fields,
        rows.filter((_, row) => String(row) !== argument),
      ),
    };
  if (action === 'pick') {
    const { id, name, modelSku, description, unitPrice, unit, taxes } = await call('getProduct', {
      params: { id: argument },
    });
    const picked = { productId: id, productName: name, model: modelSku, description, unitPrice, unit, taxes };
    const kept = rows.filter((row) => !isBlank(row));
    fields.set('catalogueSearch', ['']);
    return { fields: withRows(fields, [...kept, rowOf({ ...picked, quantity: 1 })]) };
  }
  const search = valueOf(form, 'catalogueSearch');
  const query = { active: true, limit: MAX_FOUND, ...(search !== '' && { search }) };
  const { data } = await call('listProducts', { query });
  return {
    fields,
    found: data.map(({ id, name, modelSku, unitPrice, currency }) => ({
      id,
      name,
      modelSku,
      price: money(unitPrice, currency),
    })),
  };
}

const withLine = (fields: Fields): Fields => (rowsOf(fields).length > 0 ? fields : withRows(fields, [emptyRow()]));

/** Handles the form: one of its buttons changes what it shows, and the main one saves. */
async function edited(
  request: Request,
  {
    template,
    save,
  }: { readonly template?: Template; readonly save: (form: PostedForm, fields: Fields) => Promise<void> },
): Promise<PageResult> {
  const { form } = request;
  const shown = (state: FormState, found?: readonly FoundProduct[]) =>
    templateFormPage({ form: { ...state, fields: withLine(state.fields) }, found, ...(template && { template }) });
  if (valueOf(form, BUTTON) !== '') {
    const { fields, found } = await changed(request, form);
    return shown({ ...form, fields }, found);
  }
  const fields = withoutBlankLines(form.fields);
  return submitted(
    { form: { ...form, fields } as PostedForm },
    {
      submit: async () => {
        await save(form, fields);
        return { redirectTo: `${TEMPLATES_PATH}?notice=${template ? 'template_saved' : 'template_created'}` };
      },
      show: (refused) => shown(refused),
    },
  );
}

// Unchecked: the operation's own check follows.
const createBody = (fields: Fields) => bodyFrom(fields, CreateTemplate, false) as unknown as BodyOf<'createTemplate'>;

/** A change with the whole form: an amount that was cleared is zero, and a deposit without fields is none. */
function updateBody(form: PostedForm, fields: Fields): BodyOf<'updateTemplate'> {
  const { items, shippingCost = 0, discountPct = 0, deposit = null } = createBody(fields);
  return { ...form.bodyFor('updateTemplate'), items: items ?? [], shippingCost, discountPct, deposit };
}

export const templatePages: readonly Page[] = [
  page({
    method: 'GET',
    path: TEMPLATES_PATH,
    access: 'authenticated',
    handle: async ({ caller, call }) =>
      templateListPage({
        templates: await call('listTemplates'),
        canManage: can(caller.role, 'config:manage'),
        hasTemplates: hasFeature(caller.plan, 'templates'),
        timeZone: caller.timeZone,
      }),
  }),
  page({
    method: 'GET',
    path: NEW,
    access: 'config:manage',
    feature: 'templates',
    handle: () => templateFormPage({ form: newForm(withLine(new Map([['currency', ['MXN']]]))), found: undefined }),
  }),
  page({
    method: 'POST',
    path: NEW,
    access: 'config:manage',
    feature: 'templates',
    handle: (request) =>
      edited(request, {
        save: async ({ key }, fields) => {
          const body = createBody(fields);
          await request.call('createTemplate', { body: { ...body, items: body.items ?? [] }, key });
        },
      }),
  }),
  page({
    method: 'GET',
    path: ONE,
    access: 'config:manage',
    handle: async (request) => {
      const template = await read(request);
      return templateFormPage({ form: newForm(fieldsOfTemplate(template)), template, found: undefined });
    },
  }),
  page({
    method: 'POST',
    path: ONE,
    access: 'config:manage',
    feature: 'templates',
    handle: async (request) =>
      edited(request, {
        template: await read(request),
        save: async (form, fields) => {
          await request.call('updateTemplate', { params: idOf(request), body: updateBody(form, fields) });
        },
      }),
  }),
  page({
    method: 'POST',
    path: `${ONE}/delete`,
    access: 'config:manage',
    handle: async (request) => {
      await request.call('deleteTemplate', { params: idOf(request) });
      return { redirectTo: `${TEMPLATES_PATH}?notice=template_deleted` };
    },
  }),
];

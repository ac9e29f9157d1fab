import { automationPage } from '../../../console/automations/detail-page.ts';
import { automationFormPage } from '../../../console/automations/form-page.ts';
import { automationListPage, PATH } from '../../../console/automations/list-page.ts';
import type { Fields, FormState } from '../../../console/forms/form-state.ts';
import { type Page, page, type PageRequest, type ShownPage } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';
import { automationBody, automationFields, BLANK, withHeaderErrors } from './form.ts';
import { editedRows } from './rows.ts';
import { automationTestPages } from './test.ts';

const common = { access: 'config:manage', feature: 'automations' } as const;
type Request = PageRequest<'config:manage'>;

interface Shown {
  readonly form: FormState;
  readonly focus?: string | undefined;
}

async function showNew({ call }: Request, { form, focus }: Shown): Promise<ShownPage> {
  return automationFormPage({
    form,
    focus,
    title: 'Automatización nueva',
    action: `${PATH}/new`,
    submit: 'Crear la automatización',
    cancel: PATH,
    labels: await call('listLabels'),
  });
}

async function showEdit({ call, params: { id = '' } }: Request, given?: Shown): Promise<ShownPage> {
  const automation = await call('getAutomation', { params: { id } });
  const { form, focus } = given ?? { form: newForm(automationFields(automation)) };
  return automationFormPage({
    form,
    focus,
    title: `Editar «${automation.name}»`,
    action: `${PATH}/${id}/edit`,
    submit: 'Guardar',
    cancel: `${PATH}/${id}`,
    labels: await call('listLabels'),
  });
}

/** The form after a button that adds, moves or removes a row; undefined when it is to be saved. */
function edited({ form }: Request): Shown | undefined {
  const changed = editedRows(form);
  return changed && { form: { ...form, fields: withoutButton(changed.fields) }, focus: changed.focus };
}

const withoutButton = (fields: Fields): Fields => new Map([...fields].filter(([name]) => name !== 'do'));

async function showDetail({ call, caller, params: { id = '' }, query }: Request): Promise<ShownPage> {
  const automation = await call('getAutomation', { params: { id } });
  const page = /^[1-9]\d{0,5}$/.test(query['page'] ?? '') ? Number(query['page']) : 1;
  const runs = await call('listAutomationLogs', { params: { id }, query: { page } });
  const hasLabels = automation.actions.some(({ type }) => type === 'add_label');
  return automationPage({
    automation,
    runs,
    labels: hasLabels ? await call('listLabels') : [],
    form: newForm(),
    timeZone: caller.timeZone,
  });
}

const switchPage = (verb: 'activate' | 'deactivate'): Page =>
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/${verb}`,
    handle: async ({ call, params: { id = '' } }) => {
      await call('updateAutomation', { params: { id }, body: { isActive: verb === 'activate' } });
      return { redirectTo: `${PATH}/${id}?notice=automation_${verb}d` };
    },
  });

export const automationPages: readonly Page[] = [
  page({
    ...common,
    method: 'GET',
    path: PATH,
    handle: async ({ call, caller: { timeZone } }) => automationListPage(await call('listAutomations'), timeZone),
  }),
  page({
    ...common,
    method: 'GET',
    path: `${PATH}/new`,
    handle: (request) => showNew(request, { form: newForm(BLANK) }),
  }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/new`,
    handle: async (request) => {
      const { form, call } = request;
      const changed = edited(request);
      if (changed) return showNew(request, changed);
      return submitted(request, {
        submit: async () => {
          const body = automationBody(form, 'createAutomation');
          const { id } = await call('createAutomation', { body, key: form.key });
          return { redirectTo: `${PATH}/${id}?notice=automation_created` };
        },
        show: (refused) => showNew(request, { form: withHeaderErrors(refused) }),
      });
    },
  }),
  page({ ...common, method: 'GET', path: `${PATH}/:id`, handle: showDetail }),
  page({ ...common, method: 'GET', path: `${PATH}/:id/edit`, handle: (request) => showEdit(request) }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/edit`,
    handle: async (request) => {
      const { form, call, params } = request;
      const changed = edited(request);
      if (changed) return showEdit(request, changed);
      const { id = '' } = params;
      return submitted(request, {
        submit: async () => {
          await call('updateAutomation', { params: { id }, body: automationBody(form, 'updateAutomation') });
          return { redirectTo: `${PATH}/${id}?notice=automation_saved` };
        },
        show: (refused) => showEdit(request, { form: withHeaderErrors(refused) }),
      });
    },
  }),
  switchPage('activate'),
  switchPage('deactivate'),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/delete`,
    handle: async ({ call, params: { id = '' } }) => {
      await call('deleteAutomation', { params: { id } });
      return { redirectTo: `${PATH}?notice=automation_deleted` };
    },
  }),
  ...automationTestPages,
];

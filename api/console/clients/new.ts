import { clientFormPage } from '../../../console/clients/form-page.ts';
import type { FormState } from '../../../console/forms/form-state.ts';
import { page } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';

const PATH = '/app/clients/new';
const show = (form: FormState) =>
  clientFormPage({ form, title: 'Cliente nuevo', action: PATH, submit: 'Crear el cliente', cancel: '/app/clients' });

export const newClientPages = [
  page({ method: 'GET', path: PATH, access: 'clients:create', handle: () => show(newForm()) }),
  page({
    method: 'POST',
    path: PATH,
    access: 'clients:create',
    handle: ({ form, call }) =>
      submitted(
        { form },
        {
          submit: async () => {
            const body = form.bodyFor('createClient');
            const { id, warnings } = await call('createClient', { body, key: form.key });
            const notice = (warnings?.length ?? 0) > 0 ? 'client_saved_tax_id' : 'client_created';
            return { redirectTo: `/app/clients/${id}?notice=${notice}` };
          },
          show,
        },
      ),
  }),
];

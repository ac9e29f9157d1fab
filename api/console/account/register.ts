import { registerPage, registrationClosedPage } from '../../../console/account/register-page.ts';
import type { Deps } from '../../deps.ts';
import { page } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';

export const registerPages = ({ config }: Pick<Deps, 'config'>) => [
  page({
    method: 'GET',
    path: '/register',
    access: 'public',
    handle: async ({ visitor }) => {
      if (await visitor()) return { redirectTo: '/app' };
      return config.REGISTRATION === 'closed' ? { ...registrationClosedPage, status: 403 } : registerPage(newForm());
    },
  }),
  page({
    method: 'POST',
    path: '/register',
    access: 'public',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const body = request.form.bodyFor('registerBusiness');
          const { session } = await request.callForResult('registerBusiness', { body });
          return { redirectTo: '/app?notice=registered', session };
        },
        show: (form, { kind }) => (kind === 'registration_closed' ? registrationClosedPage : registerPage(form)),
      }),
  }),
];

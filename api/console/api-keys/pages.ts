import { keyListPage } from '../../../console/api-keys/list-page.ts';
import { createdKeyPage, newKeyPage } from '../../../console/api-keys/new-page.ts';
import type { Deps } from '../../deps.ts';
import { type Page, page } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';

const LIST = '/app/api-keys';
const NEW = `${LIST}/new`;

export const apiKeyPages = ({ now }: Pick<Deps, 'now'>): readonly Page[] => [
  page({
    method: 'GET',
    path: LIST,
    access: 'authenticated',
    handle: async ({ call, caller: { userId, timeZone } }) =>
      keyListPage({ keys: await call('listApiKeys'), userId, timeZone, form: newForm(), now: now() }),
  }),
  page({ method: 'GET', path: NEW, access: 'authenticated', handle: () => newKeyPage(newForm()) }),
  page({
    method: 'POST',
    path: NEW,
    access: 'authenticated',
    handle: ({ form, call }) =>
      submitted(
        { form },
        {
          // The key is in no address: a reload submits the form again and gets the same key.
          submit: async () =>
            createdKeyPage(await call('createApiKey', { body: form.bodyFor('createApiKey'), key: form.key })),
          show: newKeyPage,
        },
      ),
  }),
  page({
    method: 'POST',
    path: `${LIST}/:id/revoke`,
    access: 'authenticated',
    handle: async ({ call, params: { id = '' } }) => {
      await call('deleteApiKey', { params: { id } });
      return { redirectTo: `${LIST}?notice=key_revoked` };
    },
  }),
];

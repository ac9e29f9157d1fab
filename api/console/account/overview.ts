import { accountPage } from '../../../console/account/overview-page.ts';
import { passwordPage } from '../../../console/account/password-page.ts';
import { type Page, page } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';

const ACCOUNT = '/app/account';
const PASSWORD = `${ACCOUNT}/password`;

/** The user's own account: password and sessions. */
export const accountPages: readonly Page[] = [
  page({
    method: 'GET',
    path: ACCOUNT,
    access: 'authenticated',
    handle: async ({ call, caller }) =>
      accountPage({
        visitor: caller,
        timeZone: caller.timeZone,
        sessions: await call('listSessions'),
        twoFactor: await call('getTwoFactor'),
        form: newForm(),
      }),
  }),
  page({ method: 'GET', path: PASSWORD, access: 'authenticated', handle: () => passwordPage(newForm()) }),
  page({
    method: 'POST',
    path: PASSWORD,
    access: 'authenticated',
    handle: ({ form, call }) =>
      submitted(
        { form },
        {
          submit: async () => {
            await call('changePassword', { body: form.bodyFor('changePassword') });
            return { redirectTo: `${ACCOUNT}?notice=password_changed` };
          },
          show: passwordPage,
        },
      ),
  }),
  page({
    method: 'POST',
    path: `${ACCOUNT}/sessions/end-all`,
    access: 'authenticated',
    handle: async ({ callForResult }) => {
      const { session } = await callForResult('endAllSessions');
      return { redirectTo: '/login?notice=sessions_ended', session };
    },
  }),
  page({
    method: 'POST',
    path: `${ACCOUNT}/sessions/:id/end`,
    access: 'authenticated',
    handle: async ({ call, params: { id = '' } }) => {
      await call('deleteSession', { params: { id } });
      return { redirectTo: `${ACCOUNT}?notice=session_ended` };
    },
  }),
];

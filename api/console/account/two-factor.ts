import { qrCodeOf } from '../../../adapters/qr-code.ts';
import {
  disableFactorPage,
  enablePage,
  manageFactorPage,
  recoveryCodesPage,
  renewCodesPage,
  setUpPage,
} from '../../../console/account/two-factor-page.ts';
import { type FormState, valueOf } from '../../../console/forms/form-state.ts';
import { type Page, page, type ShownPage } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';

const PATH = '/app/account/two-factor';
const common = { access: 'authenticated' } as const;

const enable = (form: FormState, { secret, otpauthUrl }: { readonly secret: string; readonly otpauthUrl: string }) =>
  enablePage({ form, secret, otpauthUrl, modules: qrCodeOf(otpauthUrl) });

/** The form again, with the secret that it carries. A form without one was not made by us: it starts anew. */
function enableAgain(form: FormState): ShownPage {
  const [secret, otpauthUrl] = [valueOf(form, 'secret'), valueOf(form, 'otpauthUrl')];
  const isOurs =
    /^[A-Z2-7]{16,64}$/.test(secret) && otpauthUrl.startsWith('otpauth://totp/') && otpauthUrl.length < 500;
  return isOurs ? enable(form, { secret, otpauthUrl }) : setUpPage(form);
}

/** The second factor of the user. */
export const twoFactorPages: readonly Page[] = [
  page({
    ...common,
    method: 'GET',
    path: PATH,
    handle: async ({ call }) => {
      const { enabled, recoveryCodesLeft } = await call('getTwoFactor');
      return enabled ? manageFactorPage(recoveryCodesLeft) : setUpPage(newForm());
    },
  }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/setup`,
    handle: ({ form, call }) =>
      submitted(
        { form },
        {
          submit: async () => enable(newForm(), await call('setUpTwoFactor', { body: form.bodyFor('setUpTwoFactor') })),
          show: setUpPage,
        },
      ),
  }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/enable`,
    secrets: ['otpauthUrl'],
    handle: ({ form, call }) =>
      submitted(
        { form },
        {
          submit: async () => {
            const { recoveryCodes } = await call('enableTwoFactor', { body: form.bodyFor('enableTwoFactor') });
            return recoveryCodesPage(recoveryCodes);
          },
          show: enableAgain,
        },
      ),
  }),
  page({ ...common, method: 'GET', path: `${PATH}/recovery-codes`, handle: () => renewCodesPage(newForm()) }),
  page({ ...common, method: 'GET', path: `${PATH}/disable`, handle: () => disableFactorPage(newForm()) }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/recovery-codes`,
    handle: ({ form, call }) =>
      submitted(
        { form },
        {
          submit: async () => {
            const { recoveryCodes } = await call('renewRecoveryCodes', { body: form.bodyFor('renewRecoveryCodes') });
            return recoveryCodesPage(recoveryCodes);
          },
          show: renewCodesPage,
        },
      ),
  }),
  page({
    ...common,
    method: 'POST',
    path: `${PATH}/disable`,
    handle: ({ form, call }) =>
      submitted(
        { form },
        {
          submit: async () => {
            await call('disableTwoFactor', { body: form.bodyFor('disableTwoFactor') });
            return { redirectTo: '/app/account?notice=two_factor_disabled' };
          },
          show: disableFactorPage,
        },
      ),
  }),
];

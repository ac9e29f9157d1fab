import {
  DEAD_LINKS,
  invitationPage,
  type LinkKind,
  resendPage,
  resetPasswordPage,
  verifyEmailPage,
} from '../../../console/account/link-pages.ts';
import { forgotPasswordPage, linkSentPage } from '../../../console/account/forgot-password-page.ts';
import type { AccountPage } from '../../../console/account/card.ts';
import type { FormState } from '../../../console/forms/form-state.ts';
import { type Page, page, type PageRequest, type PageResult } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';

interface LinkPage {
  readonly path: string;
  readonly kind: LinkKind;
  readonly show: (form: FormState) => AccountPage;
  /** Uses the token of the form. */
  readonly submit: (request: PageRequest<'public'>) => Promise<PageResult>;
  /** The page without a token. */
  readonly withoutToken?: () => PageResult;
}

/** The page of a mailed link. GET shows a form with the token, so that programs that open links of mails use up nothing. */
const linkPages = ({ path, kind, show, submit, withoutToken }: LinkPage): readonly Page[] => [
  page({
    method: 'GET',
    path,
    access: 'public',
    hasTokenInUrl: true,
    handle: (request) => {
      const { token } = request.query;
      if (token !== undefined) return show(newForm(new Map([['token', [token]]])));
      return withoutToken ? withoutToken() : { ...DEAD_LINKS[kind], status: 400 };
    },
  }),
  page({
    method: 'POST',
    path,
    access: 'public',
    hasTokenInUrl: true,
    handle: (request) =>
      submitted(request, {
        submit: () => submit(request),
        show: (form, { reason, details = [] }) => {
          const isDead = reason === 'link_not_valid' || details.some((detail) => detail.path === 'token');
          return isDead ? DEAD_LINKS[kind] : show(form);
        },
      }),
  }),
];

/** The pages of the links in mails, and those that ask for such a mail. */
export const linkedPages: readonly Page[] = [
  ...linkPages({
    path: '/invitation',
    kind: 'invitation',
    show: invitationPage,
    submit: async ({ form, callForResult }) => {
      const { session } = await callForResult('acceptInvitation', { body: form.bodyFor('acceptInvitation') });
      return { redirectTo: '/app?notice=invitation_accepted', session };
    },
  }),
  ...linkPages({
    path: '/reset-password',
    kind: 'reset',
    show: resetPasswordPage,
    submit: async ({ form, call }) => {
      await call('resetPassword', { body: form.bodyFor('resetPassword') });
      // The browser may still have the cookie of a session that the reset has ended.
      return { redirectTo: '/login?notice=password_reset', session: 'clear' };
    },
  }),
  ...linkPages({
    path: '/verify-email',
    kind: 'verification',
    show: verifyEmailPage,
    submit: async ({ form, call, visitor }) => {
      await call('verifyEmail', { body: form.bodyFor('verifyEmail') });
      return { redirectTo: `${(await visitor()) ? '/app' : '/login'}?notice=email_verified` };
    },
    withoutToken: () => ({ redirectTo: '/verify-email/resend' }),
  }),
  page({
    method: 'GET',
    path: '/verify-email/resend',
    access: 'authenticated',
    handle: ({ caller }) => (caller.isVerified ? { redirectTo: '/app' } : resendPage(caller.email)),
  }),
  page({
    method: 'POST',
    path: '/verify-email/resend',
    access: 'authenticated',
    handle: async ({ call }) => {
      await call('resendVerification');
      return { redirectTo: '/app?notice=verification_sent' };
    },
  }),
  page({ method: 'GET', path: '/forgot-password', access: 'public', handle: () => forgotPasswordPage(newForm()) }),
  page({
    method: 'POST',
    path: '/forgot-password',
    access: 'public',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          await request.call('requestPasswordReset', { body: request.form.bodyFor('requestPasswordReset') });
          return linkSentPage;
        },
        show: forgotPasswordPage,
      }),
  }),
];

import { carriedPage, secondStepPage, signInPage } from '../../../console/account/sign-in-page.ts';
import { type FormState, valueOf } from '../../../console/forms/form-state.ts';
import type { Deps } from '../../deps.ts';
import { type PageRequest, type PageResult, page, type ShownPage } from '../declaration.ts';
import { carriedIn } from '../expired-session.ts';
import { newForm } from '../form.ts';
import { localPath, type OwnPaths } from '../guards.ts';
import { submitted } from '../page.ts';
import { openPending, sealPending } from './pending-sign-in.ts';

export const signInPages = (deps: Deps, paths: () => OwnPaths) => [
  page({
    method: 'GET',
    path: '/login',
    access: 'public',
    handle: async ({ query, visitor }) => {
      const next = localPath(query['next'], 'GET', paths());
      if (await visitor()) return { redirectTo: next ?? '/app' };
      return signInPage({ form: newForm(), next, carried: undefined, canRegister: canRegister(deps) });
    },
  }),
  page({ method: 'POST', path: '/login', access: 'public', handle: (request) => signIn(deps, paths(), request) }),
  page({
    method: 'POST',
    path: '/logout',
    access: 'authenticated',
    handle: async ({ callForResult }) => {
      const { session } = await callForResult('endSession');
      return { redirectTo: '/login?notice=signed_out', session };
    },
  }),
];

async function signIn(deps: Deps, paths: OwnPaths, request: PageRequest<'public'>): Promise<PageResult> {
  const { form, callForResult } = request;
  const way = {
    canRegister: canRegister(deps),
    next: localPath(valueOf(form, 'next'), 'GET', paths),
    carried: carriedIn(form.fields, paths),
  };
  const pending = valueOf(form, 'pending');
  const credentials =
    pending === ''
      ? { email: valueOf(form, 'email'), password: valueOf(form, 'password') }
      : openPending(deps, pending);
  if (!credentials) return { ...signInPage({ form: { ...newForm(), refusal: STEP_OVER }, ...way }), status: 401 };

  const isRecovery =
    valueOf(form, 'step') === 'recovery' || (form.fields.has('recoveryCode') && !form.fields.has('step'));
  const second = (shown: FormState): ShownPage =>
    secondStepPage({ form: shown, ...way, pending: sealPending(deps, credentials), isRecovery });
  // The other kind of code was asked for.
  if (pending !== '' && form.fields.has('step')) return second(newForm());

  const codes = ['code', 'recoveryCode'] as const;
  const given = codes.flatMap((name) => (form.fields.has(name) ? [[name, valueOf(form, name)]] : []));
  return submitted(request, {
    submit: async () => {
      const body = { ...credentials, ...(Object.fromEntries(given) as { code?: string; recoveryCode?: string }) };
      const { session } = await callForResult('createSession', { body });
      return way.carried ? { ...carriedPage(way.carried), session } : { redirectTo: way.next ?? '/app', session };
    },
    show: (refused, { reason }) => {
      if (reason === 'two_factor_required') return second(newForm());
      if (reason === 'two_factor_code_wrong')
        return second(withMessage(newForm(), 'El código no es correcto o ya se usó.'));
      if (reason === 'two_factor_locked') return second(withMessage(newForm(), TOO_MANY_CODES));
      return signInPage({ form: reason === 'sign_in_failed' ? withMessage(refused, WRONG) : refused, ...way });
    },
  });
}

const canRegister = ({ config }: Pick<Deps, 'config'>): boolean => config.REGISTRATION !== 'closed';

const withMessage = (form: FormState, refusal: string): FormState => ({ ...form, refusal });

const WRONG = 'El correo o la contraseña no son correctos.';
const STEP_OVER = 'Pasó demasiado tiempo. Escriba de nuevo su correo y su contraseña.';
const TOO_MANY_CODES = 'Hubo demasiados códigos incorrectos. Espere quince minutos y vuelva a intentarlo.';

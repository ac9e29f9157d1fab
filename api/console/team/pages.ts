import { fieldsOf, type FormState } from '../../../console/forms/form-state.ts';
import { invitePage } from '../../../console/team/invite-page.ts';
import { teamPage } from '../../../console/team/list-page.ts';
import { personPage } from '../../../console/team/person-page.ts';
import { collaboratorNotFound } from '../../../domain/errors.ts';
import { type Page, page, type PageRequest, type ShownPage } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';

const LIST = '/app/team';
const NEW = `${LIST}/new`;
const common = { access: 'collaborators:manage', feature: 'collaborators' } as const;

type Request = PageRequest<'collaborators:manage'>;

/** The page of a person, with the input of one of its forms. */
async function showPerson(
  { call, caller, params: { id } }: Request,
  { form, transfer = newForm() }: { readonly form?: FormState; readonly transfer?: FormState } = {},
): Promise<ShownPage> {
  const people = await call('listCollaborators');
  const person = people.find((each) => each.id === id);
  if (!person) throw collaboratorNotFound();
  const { name, role, isActive } = person;
  return personPage({
    person,
    isSelf: person.id === caller.userId,
    others: people.filter((each) => each.id !== id && each.isActive),
    form: form ?? newForm(fieldsOf({ name, role, isActive })),
    transfer,
    timeZone: caller.timeZone,
  });
}

export const teamPages: readonly Page[] = [
  page({
    ...common,
    method: 'GET',
    path: LIST,
    handle: async ({ call, caller: { userId, timeZone } }) =>
      teamPage({ people: await call('listCollaborators'), userId, timeZone }),
  }),
  page({ ...common, method: 'GET', path: NEW, handle: () => invitePage(newForm()) }),
  page({
    ...common,
    method: 'POST',
    path: NEW,
    handle: ({ form, call }) =>
      submitted(
        { form },
        {
          submit: async () => {
            await call('inviteCollaborator', { body: form.bodyFor('inviteCollaborator'), key: form.key });
            return { redirectTo: `${LIST}?notice=person_invited` };
          },
          show: invitePage,
        },
      ),
  }),
  page({ ...common, method: 'GET', path: `${LIST}/:id`, handle: (request) => showPerson(request) }),
  page({
    ...common,
    method: 'POST',
    path: `${LIST}/:id`,
    handle: async (request) => {
      const { form, call, params } = request;
      return submitted(request, {
        submit: async () => {
          await call('updateCollaborator', {
            params: { id: params['id'] ?? '' },
            body: form.bodyFor('updateCollaborator'),
          });
          return { redirectTo: `${LIST}?notice=person_saved` };
        },
        show: (refused) => showPerson(request, { form: refused }),
      });
    },
  }),
  page({
    ...common,
    method: 'POST',
    path: `${LIST}/:id/transfer`,
    handle: async (request) => {
      const { form, call, params } = request;
      return submitted(request, {
        submit: async () => {
          const body = form.bodyFor('transferQuotes');
          await call('transferQuotes', { params: { id: params['id'] ?? '' }, body, key: form.key });
          return { redirectTo: `${LIST}?notice=quotes_transferred` };
        },
        show: (refused) => showPerson(request, { transfer: refused }),
      });
    },
  }),
];

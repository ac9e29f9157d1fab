import { fieldsOf, type Fields, type FormState } from '../../../console/forms/form-state.ts';
import { type SettingsTab, settingsPath } from '../../../console/settings/frame.ts';
import type { Settings, SettingsView } from '../../../console/settings/settings-view.ts';
import type { BodyOf } from '../operations.ts';
import { type Page, page, type PageRequest, type ShownPage } from '../declaration.ts';
import { newForm, type PostedForm } from '../form.ts';
import { submitted } from '../page.ts';

export const access = 'config:manage';
export type SettingsRequest = PageRequest<typeof access>;

/** What a form changes, and the form as it is shown if the change is refused. */
interface Change {
  readonly body: BodyOf<'updateSettings'>;
  readonly shown?: (form: FormState) => FormState;
}

/** A page of the settings with one form. */
export interface Tab {
  readonly tab: SettingsTab;
  /** The settings as the fields of the form. */
  readonly fields: (settings: Settings) => Fields;
  readonly change: (form: PostedForm) => Change;
  readonly show: (view: SettingsView, request: SettingsRequest) => Promise<ShownPage> | ShownPage;
  /** Values that an empty row of the form has. */
  readonly rowDefaults?: Readonly<Record<string, string>>;
}

/** The fields of some members of the settings. */
export const membersOf = (settings: Settings, names: readonly (keyof Settings)[]): Fields =>
  fieldsOf(Object.fromEntries(names.map((name) => [name, settings[name]])));

export const asSent = (form: PostedForm): Change => ({ body: form.bodyFor('updateSettings') });

/** The page of a tab, with the input of its form if that was refused. */
export async function showTab(
  { fields, show }: Pick<Tab, 'fields' | 'show'>,
  request: SettingsRequest,
  refused?: FormState,
): Promise<ShownPage> {
  const { body, tag } = await request.callWithTag('getSettings');
  const settings = body.data;
  // An outdated form that is sent again replaces the current version.
  const form = refused ? { ...refused, tag: refused.isOutdated ? tag : refused.tag } : newForm(fields(settings), tag);
  return show({ settings, form, plan: request.caller.plan }, request);
}

/** The page of a tab and its form. */
export const tabPages = (tab: Tab): readonly Page[] => {
  const path = settingsPath(tab.tab);
  return [
    page({ method: 'GET', path, access, handle: (request) => showTab(tab, request) }),
    page({
      method: 'POST',
      path,
      access,
      ...(tab.rowDefaults && { rowDefaults: tab.rowDefaults }),
      handle: (request) => {
        const { body, shown = (form) => form } = tab.change(request.form);
        return submitted(request, {
          submit: async () => {
            await request.call('updateSettings', { body, tag: request.form.tag });
            return saved(tab.tab);
          },
          show: (refused) => showTab(tab, request, shown(refused)),
        });
      },
    }),
  ];
};

export const saved = (tab: SettingsTab) => ({ redirectTo: `${settingsPath(tab)}?notice=settings_saved` });

/** A button that sets members back, such as the tax table to that of the country. */
export const resetPage = (tab: SettingsTab, body: BodyOf<'updateSettings'>): Page =>
  page({
    method: 'POST',
    path: `${settingsPath(tab)}/reset`,
    access,
    handle: async ({ call, form }) => {
      await call('updateSettings', { body, tag: form.tag });
      return saved(tab);
    },
  });

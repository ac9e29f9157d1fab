import { fieldsOf, type FormState } from '../../../console/forms/form-state.ts';
import { BRANDING_MEMBERS, brandingPage, lookOf } from '../../../console/settings/branding-page.ts';
import { settingsPath } from '../../../console/settings/frame.ts';
import { LOGO_UPLOAD } from '../../settings/logo-upload.ts';
import { assetUrl } from '../assets.ts';
import { type Page, page, type PageRequest } from '../declaration.ts';
import { newForm } from '../form.ts';
import { submitted } from '../page.ts';
import { access, asSent, membersOf, resetPage, saved, showTab, type Tab, tabPages } from './tab.ts';

const PATH = settingsPath('branding');

const branding = (logoForm?: FormState): Tab => ({
  tab: 'branding',
  fields: (settings) =>
    new Map([
      ...membersOf(settings, BRANDING_MEMBERS),
      ...fieldsOf({ pdfBranding: { ...settings.pdfBranding, ...lookOf(settings.pdfBranding) } }),
    ]),
  change: asSent,
  show: async (view, request) =>
    brandingPage({
      ...view,
      logoForm: logoForm ?? newForm(),
      hasQuote: (await newestQuote(request)) !== undefined,
      script: assetUrl('branding.js'),
    }),
});

/** The newest quote whose PDF follows the settings: a signed one keeps the look that was signed. */
async function newestQuote({ call }: PageRequest): Promise<string | undefined> {
  for (const query of [{ status: 'GENERATED' }, { status: 'SENT' }, {}] as const) {
    const { data } = await call('listQuotes', { query: { ...query, limit: 1 } });
    if (data[0]) return data[0].id;
  }
  return undefined;
}

/** The look of the documents: logo, colours, paper. */
export const brandingPages: readonly Page[] = [
  ...tabPages(branding()),
  resetPage('branding', { pdfBranding: null }),
  page({
    method: 'GET',
    path: `${PATH}/preview`,
    access,
    handle: async (request) => {
      const id = await newestQuote(request);
      if (id === undefined) return { redirectTo: PATH };
      return { file: await request.callForResult('downloadQuotePdf', { params: { id } }) };
    },
  }),
  page({
    method: 'GET',
    path: '/app/settings/logo',
    access,
    handle: async ({ callForResult }) => ({ file: await callForResult('downloadLogo') }),
  }),
  page({
    method: 'POST',
    path: `${PATH}/logo`,
    access,
    upload: LOGO_UPLOAD,
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          // The types are of JSON bodies; this is the form that the page has read, as the route reads it.
          const { warnings = [] } = await request.call('uploadLogo', { body: request.file as never });
          return { redirectTo: `${PATH}?notice=${warnings.length > 0 ? 'logo_saved_other_font' : 'logo_saved'}` };
        },
        show: (form, { message }) => {
          const errors = new Map([['logo', message]]);
          return showTab(branding({ ...form, refusal: undefined, fields: new Map([['logo', ['']]]), errors }), request);
        },
      }),
  }),
  page({
    method: 'POST',
    path: `${PATH}/remove-logo`,
    access,
    handle: async ({ call }) => {
      await call('deleteLogo');
      return saved('branding');
    },
  }),
];

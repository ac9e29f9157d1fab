import { fieldsOf } from '../../../console/forms/form-state.ts';
import { BUSINESS_MEMBERS, businessPage } from '../../../console/settings/business-page.ts';
import { EMAIL_MEMBERS, emailPage } from '../../../console/settings/email-page.ts';
import { settingsPath } from '../../../console/settings/frame.ts';
import { NUMBERING_MEMBERS, numberingPage } from '../../../console/settings/numbering-page.ts';
import type { Deps } from '../../deps.ts';
import { type Page, page } from '../declaration.ts';
import { brandingPages } from './branding.ts';
import { access, asSent, membersOf, tabPages } from './tab.ts';
import { taxPages } from './taxes.ts';

/** The settings of the business, in tabs. */
export const settingsPages = ({ now }: Pick<Deps, 'now'>): readonly Page[] => [
  page({ method: 'GET', path: '/app/settings', access, handle: () => ({ redirectTo: settingsPath('business') }) }),
  ...tabPages({
    tab: 'business',
    fields: (settings) => {
      const { bankName = '', clabe = '', beneficiary = '' } = settings.bankInfo ?? {};
      return new Map([
        ...membersOf(settings, BUSINESS_MEMBERS),
        ...fieldsOf({ bankInfo: { bankName, clabe, beneficiary } }),
      ]);
    },
    change: asSent,
    show: businessPage,
  }),
  ...taxPages,
  ...tabPages({
    tab: 'numbering',
    fields: (settings) => membersOf(settings, NUMBERING_MEMBERS),
    change: (form) => {
      const { nextQuoteNumber, ...body } = form.bodyFor('updateSettings');
      // Left empty it is not changed: quotes that others make meanwhile raise it.
      const isTyped = nextQuoteNumber !== undefined && String(nextQuoteNumber) !== '';
      return { body: { ...body, ...(isTyped && { nextQuoteNumber }) } };
    },
    show: (view) => numberingPage({ ...view, now: now() }),
  }),
  ...brandingPages,
  ...tabPages({
    tab: 'email',
    fields: (settings) => membersOf(settings, EMAIL_MEMBERS),
    change: asSent,
    show: emailPage,
  }),
];

import { unwrap } from '@quoting/client';
import { defineCreate, defineInputFields } from 'zapier-platform-core';
import { clientOf, resultOf } from './client.ts';

const clientId = { key: 'clientId', label: 'Client ID', required: true } as const;
const quoteId = { key: 'quoteId', label: 'Quote ID', required: true } as const;
const documentFields = defineInputFields([
  { key: 'title', label: 'Title' },
  { key: 'reference', label: 'Reference', helpText: 'Your own number, such as that of an order.' },
  { key: 'notes', label: 'Notes', type: 'text' },
]);

/** Members without a value are left out. */
const given = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

const client = defineCreate({
  key: 'client',
  noun: 'Client',
  display: { label: 'Create Client', description: 'Creates a client.' },
  operation: {
    inputFields: defineInputFields([
      { key: 'contactName', label: 'Contact name', required: true },
      { key: 'companyName', label: 'Company name' },
      { key: 'email', label: 'Email' },
      { key: 'phone', label: 'Phone' },
    ]),
    perform: (z, bundle) => {
      const { contactName, ...optional } = bundle.inputData;
      const body = { contactName, ...given(optional) };
      return resultOf(z, unwrap(clientOf(z, bundle).POST('/api/v1/clients', { body })));
    },
    sample: { id: 'c5tz6q8v0k3m9w2x7y4n1b0d', contactName: 'Ana Torres', email: 'ana@example.com' },
  },
});

const quote = defineCreate({
  key: 'quote',
  noun: 'Quote',
  display: { label: 'Create Quote', description: 'Creates a quote for a client.' },
  operation: {
    inputFields: defineInputFields([
      clientId,
      {
        key: 'items',
        label: 'Items',
        required: true,
        children: [
          { key: 'productName', label: 'Product name', required: true },
          { key: 'unitPrice', label: 'Unit price', type: 'number', required: true },
          { key: 'quantity', label: 'Quantity', type: 'number', required: true },
          { key: 'discountPct', label: 'Discount percent', type: 'number' },
        ],
      },
      ...documentFields,
    ]),
    perform: (z, bundle) => {
      const { clientId: id, items, ...optional } = bundle.inputData;
      const body = { clientId: id, items: (items ?? []).map(given), ...given(optional) };
      return resultOf(z, unwrap(clientOf(z, bundle).POST('/api/v1/quotes', { body })));
    },
    sample: { id: 'c5tz6q8v0k3m9w2x7y4n1b0d', quoteNumber: 12, total: 1160, currency: 'MXN' },
  },
});

const fromTemplate = defineCreate({
  key: 'quote_from_template',
  noun: 'Quote',
  display: { label: 'Create Quote From Template', description: 'Creates a quote with the items of a template.' },
  operation: {
    inputFields: defineInputFields([
      { key: 'templateId', label: 'Template', required: true, dynamic: 'template.id.name' },
      clientId,
      ...documentFields,
    ]),
    perform: (z, bundle) => {
      const { templateId, clientId: id, ...optional } = bundle.inputData;
      const body = { templateId, clientId: id, ...given(optional) };
      return resultOf(z, unwrap(clientOf(z, bundle).POST('/api/v1/connector/actions/create-from-template', { body })));
    },
    sample: { id: 'c5tz6q8v0k3m9w2x7y4n1b0d', quoteNumber: 12, total: 1160, currency: 'MXN' },
  },
});

const share = defineCreate({
  key: 'share_quote',
  noun: 'Quote',
  display: { label: 'Share Quote', description: 'Mails a quote to its client as PDF.' },
  operation: {
    inputFields: defineInputFields([quoteId]),
    perform: (z, bundle) => {
      const params = { path: { id: bundle.inputData.quoteId } };
      return resultOf(z, unwrap(clientOf(z, bundle).POST('/api/v1/quotes/{id}/share', { params })));
    },
    sample: { success: true },
  },
});

const changeStatus = defineCreate({
  key: 'quote_status',
  noun: 'Quote',
  display: { label: 'Change Quote Status', description: 'Marks a quote as sent, won or lost.' },
  operation: {
    inputFields: defineInputFields([
      quoteId,
      { key: 'status', label: 'Status', required: true, choices: ['SENT', 'WON', 'LOST'] },
    ]),
    perform: (z, bundle) => {
      const params = { path: { id: bundle.inputData.quoteId } };
      const body = { status: bundle.inputData.status as 'SENT' | 'WON' | 'LOST' }; // the choices above
      return resultOf(z, unwrap(clientOf(z, bundle).PATCH('/api/v1/quotes/{id}/status', { params, body })));
    },
    sample: { id: 'c5tz6q8v0k3m9w2x7y4n1b0d', status: 'WON' },
  },
});

/** Actions. */
export const creates = {
  [client.key]: client,
  [quote.key]: quote,
  [fromTemplate.key]: fromTemplate,
  [share.key]: share,
  [changeStatus.key]: changeStatus,
};

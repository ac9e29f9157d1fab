import { unwrap } from '@quoting/client';
import { defineInputFields, defineSearch } from 'zapier-platform-core';
import { clientOf, resultOf } from './client.ts';

const client = defineSearch({
  key: 'find_client',
  noun: 'Client',
  display: { label: 'Find Client', description: 'Finds clients by name, company or email.' },
  operation: {
    inputFields: defineInputFields([{ key: 'search', label: 'Search', required: true }]),
    perform: async (z, bundle) => {
      const query = { search: bundle.inputData.search };
      const { data } = await resultOf(z, unwrap(clientOf(z, bundle).GET('/api/v1/clients', { params: { query } })));
      return data;
    },
    sample: { id: 'c5tz6q8v0k3m9w2x7y4n1b0d', contactName: 'Ana Torres', email: 'ana@example.com' },
  },
});

const quote = defineSearch({
  key: 'find_quote',
  noun: 'Quote',
  display: { label: 'Find Quote', description: 'Finds quotes by reference.' },
  operation: {
    inputFields: defineInputFields([{ key: 'reference', label: 'Reference', required: true }]),
    perform: async (z, bundle) => {
      const query = { reference: bundle.inputData.reference };
      const { data } = await resultOf(z, unwrap(clientOf(z, bundle).GET('/api/v1/quotes', { params: { query } })));
      return data;
    },
    sample: { id: 'c5tz6q8v0k3m9w2x7y4n1b0d', quoteNumber: 12, total: '1160.00', status: 'SENT' },
  },
});

/** Searches, which Zapier combines with the actions: find or create. */
export const searches = { [client.key]: client, [quote.key]: quote };

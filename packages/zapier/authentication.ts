import { unwrap } from '@quoting/client';
import type { Authentication } from 'zapier-platform-core';
import { clientOf, resultOf } from './client.ts';

/** The address of an installation and an API key. */
export const authentication: Authentication = {
  type: 'custom',
  fields: [
    { key: 'baseUrl', label: 'Base URL', required: true, helpText: 'Address of the service, without a path.' },
    { key: 'apiKey', label: 'API key', required: true, type: 'password' },
  ],
  test: (z, bundle) => resultOf(z, unwrap(clientOf(z, bundle).GET('/api/v1/connector/me'))),
  connectionLabel: '{{tenant__companyName}} ({{user__email}})',
};

import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** What the editor shows. Each operation has a function in operations.ts. */

const shownFor = (resource: string, ...operation: readonly string[]): IDisplayOptions => ({
  show: { resource: [resource], ...(operation.length > 0 && { operation: [...operation] }) },
});

const operations = (resource: string, options: readonly [value: string, name: string, action: string][]) =>
  ({
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: shownFor(resource),
    options: options.map(([value, name, action]): INodePropertyOptions => ({ value, name, action })),
    default: 'create',
  }) satisfies INodeProperties;

const required = (name: string, displayName: string, displayOptions: IDisplayOptions): INodeProperties => ({
  displayName,
  name,
  type: 'string',
  default: '',
  required: true,
  displayOptions,
});

const collection = (
  displayName: string,
  displayOptions: IDisplayOptions,
  options: readonly INodeProperties[],
): INodeProperties => ({
  displayName,
  name: 'additionalFields',
  type: 'collection',
  placeholder: 'Add Field',
  default: {},
  displayOptions,
  options: [...options],
});
const field = (name: string, displayName: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
  displayName,
  name,
  type: 'string',
  default: '',
  ...more,
});

const paged = (resource: string): INodeProperties[] => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions: shownFor(resource, 'getAll'),
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { resource: [resource], operation: ['getAll'], returnAll: [false] } },
  },
];

const STATUSES: INodePropertyOptions[] = ['GENERATED', 'SENT', 'ACCEPTED', 'REJECTED', 'WON', 'LOST'].map((value) => ({
  name: value.charAt(0) + value.slice(1).toLowerCase(),
  value,
}));
const statuses = (...values: readonly string[]) => STATUSES.filter(({ value }) => values.includes(String(value)));
const search = field('search', 'Search');

export const properties: INodeProperties[] = [
  {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: [
      { name: 'Client', value: 'client' },
      { name: 'Quote', value: 'quote' },
    ],
    default: 'quote',
  },
  operations('client', [
    ['create', 'Create', 'Create a client'],
    ['get', 'Get', 'Get a client'],
    ['getAll', 'Get Many', 'Get many clients'],
  ]),
  operations('quote', [
    ['changeStatus', 'Change Status', 'Change the status of a quote'],
    ['create', 'Create', 'Create a quote'],
    ['createFromTemplate', 'Create From Template', 'Create a quote from a template'],
    ['get', 'Get', 'Get a quote'],
    ['getAll', 'Get Many', 'Get many quotes'],
    ['share', 'Share', 'Mail a quote to its client'],
  ]),
  required('contactName', 'Contact Name', shownFor('client', 'create')),
  required('clientId', 'Client ID', shownFor('client', 'get')),
  collection('Additional Fields', shownFor('client', 'create'), [
    field('companyName', 'Company Name'),
    field('email', 'Email', { placeholder: 'name@example.com' }),
    field('phone', 'Phone'),
  ]),
  collection('Filters', shownFor('client', 'getAll'), [search]),
  ...paged('client'),
  {
    ...required('templateId', 'Template Name or ID', shownFor('quote', 'createFromTemplate')),
    type: 'options',
    typeOptions: { loadOptionsMethod: 'templates' },
    description:
      'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
  },
  required('clientId', 'Client ID', shownFor('quote', 'create', 'createFromTemplate')),
  required('quoteId', 'Quote ID', shownFor('quote', 'changeStatus', 'get', 'share')),
  {
    ...required('status', 'Status', shownFor('quote', 'changeStatus')),
    type: 'options',
    options: statuses('SENT', 'WON', 'LOST'),
    default: 'WON',
  },
  {
    ...required('items', 'Items', shownFor('quote', 'create')),
    type: 'fixedCollection',
    typeOptions: { multipleValues: true },
    placeholder: 'Add Item',
    default: {},
    options: [
      {
        displayName: 'Item',
        name: 'line',
        values: [
          field('productName', 'Product Name'),
          field('unitPrice', 'Unit Price', { type: 'number', default: 0 }),
          field('quantity', 'Quantity', { type: 'number', default: 1 }),
          field('discountPct', 'Discount Percent', { type: 'number', default: 0 }),
        ],
      },
    ],
  },
  collection('Additional Fields', shownFor('quote', 'create', 'createFromTemplate'), [
    field('notes', 'Notes'),
    field('reference', 'Reference'),
    field('title', 'Title'),
  ]),
  collection('Filters', shownFor('quote', 'getAll'), [
    field('clientId', 'Client ID'),
    field('reference', 'Reference'),
    search,
    field('status', 'Status', { type: 'options', options: STATUSES, default: 'SENT' }),
  ]),
  ...paged('quote'),
];

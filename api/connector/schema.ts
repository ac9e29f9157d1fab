import { type Static, Type } from 'typebox';
import { SUBSCRIBABLE_EVENTS } from '../../domain/event-types.ts';
import { PLANS } from '../../domain/plans.ts';
import { ROLES } from '../../domain/permissions.ts';
import { CreateQuote } from '../quotes/content-schema.ts';
import { copyFromProducts, ownInput } from '../quotes/schema.ts';
import {
  named,
  namedInput,
  dropsUnknown,
  decimal,
  id,
  jsonObject,
  oneOf,
  optionalText,
  page,
  search,
  timestamp,
} from '../schema.ts';
import { targetUrl } from '../webhooks/schema.ts';

export const Me = named('ConnectorAccount', {
  user: named('ConnectorUser', {
    id: id(),
    email: Type.String({ examples: ['diana@example.com'] }),
    name: Type.String({ examples: ['Diana Ruiz'] }),
    role: oneOf('Role', ROLES),
  }),
  tenant: named('ConnectorTenant', {
    id: id(),
    companyName: Type.String({ examples: ['Muebles del Valle'] }),
    plan: oneOf('Plan', PLANS, { examples: ['PRO'] }),
  }),
});

export const ListTemplates = dropsUnknown({
  search: search({ description: 'parte del nombre' }),
  page: page(),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 500 }),
});
export type ListTemplates = Static<typeof ListTemplates>;

/** Some platforms read `id` and `name`, others `label` and `value`. */
export const TemplateOption = named('TemplateOption', {
  id: id(),
  name: Type.String({ examples: ['Oficina básica'] }),
  label: Type.String({ examples: ['Oficina básica'] }),
  value: id(),
});

export const CreateFromTemplate = namedInput('QuoteFromTemplateInput', {
  templateId: Type.String({ minLength: 1, maxLength: 64 }),
  clientId: Type.String({ minLength: 1, maxLength: 64 }),
  notes: optionalText(300, { description: 'en lugar de las de la plantilla', examples: ['Entrega mañana'] }),
  shippingCost: Type.Optional(
    decimal(2, {
      minimum: 0,
      maximum: 9_999_999_999.99,
      description: 'en lugar del de la plantilla',
      examples: [99.9],
    }),
  ),
  expiresAt: CreateQuote.properties.expiresAt,
  validUntil: CreateQuote.properties.validUntil,
  title: CreateQuote.properties.title,
  copyFromProducts: copyFromProducts(),
  ...ownInput,
});
export type CreateFromTemplate = Static<typeof CreateFromTemplate>;

export const SampleParams = Type.Object({
  event: oneOf('EventType', SUBSCRIBABLE_EVENTS, { examples: ['quote.created'] }),
});
export const Sample = named('EventSample', {
  event: oneOf('EventType', SUBSCRIBABLE_EVENTS),
  timestamp: timestamp(),
  data: named('EventSampleData', {
    quote: Type.Optional(jsonObject({ examples: [{ quoteNumber: 12, status: 'SENT', total: 1160 }] })),
    previousStatus: Type.Optional(Type.String({ examples: ['GENERATED'] })),
    client: Type.Optional(jsonObject()),
    product: Type.Optional(jsonObject()),
    request: Type.Optional(jsonObject({ description: 'los cambios que pide el cliente' })),
  }),
});
export type Sample = Static<typeof Sample>;

export const CreateHook = namedInput('ConnectorHookInput', {
  targetUrl: targetUrl(),
  event: oneOf('EventType', SUBSCRIBABLE_EVENTS, { examples: ['quote.created'] }),
});
export const CreatedHook = named('ConnectorHook', { id: id() });

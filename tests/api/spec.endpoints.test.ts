import assert from 'node:assert/strict';
import { openApiDocument } from '../../api/openapi/document.ts';
import { documentedRoutes } from '../../dev/documented-routes.ts';
import { inlined, type OpenApi } from './conformance.ts';

/** The parts of a JSON schema that are read here. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/**
 * The documented members of each endpoint's response: a place in it, then the members that each object there always
 * has. `$` marks a decimal as text, `#` a number, `@` a time, `?` a member that some responses lack.
 */
const QUOTE = 'id quoteNumber status notes expiresAt@ createdAt@ items client';
const CLIENT = 'client: id contactName companyName email phone';
const TEXTS = 'subtotal$ tax$ shippingCost$ total$';
const NUMBERS = 'subtotal# tax# shippingCost# total#';
const CREATED = [`: ${QUOTE} ${NUMBERS} publicToken`, 'items[]: unitPrice# discountPct# subtotal#', CLIENT];
const PAGE = 'total# page# totalPages#';
/** A page after a cursor counts nothing, so the schema cannot require them; pages.test.ts proves that the others have them. */
const CURSOR_PAGE = 'total#? page#? totalPages#? nextCursor';
const TEMPLATE =
  'id tenantId name description items notes shippingCost# currency isActive createdAt@ updatedAt@ creator';
const TEMPLATES = (at: string) => [
  `${at}: ${TEMPLATE}`,
  `${at}.items[]: unitPrice# discountPct#`,
  `${at}.creator: name`,
];
const AUTOMATION = 'id name trigger isActive conditions actions delayMinutes# createdAt@';
const LOG = 'id automationId quoteId tenantId status triggeredAt@ completedAt error';
const WEBHOOK = ': id url events secret isActive tenantId createdAt@ updatedAt@';
const SETTINGS = [
  ': data',
  'data: id companyName email phone address logoUrl bankInfo defaultNotes taxRate$ quoteValidityDays# currency ' +
    'pdfBranding reminderDaysBefore#',
];
const ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  'GET /api/quotes → 200': [`: data ${CURSOR_PAGE}`, `data[]: id quoteNumber status createdAt@ expiresAt@ client user ${TEXTS} _count`, 'data[].user: name', 'data[]._count: items#'],
  'POST /api/quotes → 201': CREATED,
  'GET /api/quotes/{id} → 200': [`: ${QUOTE} ${TEXTS} version currency viewCount user`, 'items[]: id productName model quantity# product unitPrice$ discountPct$ subtotal$', 'user: name email'],
  'PATCH /api/quotes/{id}/status → 200': [`: ${QUOTE} ${TEXTS}`],
  'POST /api/quotes/{id}/duplicate → 201': CREATED,
  'POST /api/quotes/{id}/pdf → 200': [': pdfUrl'],
  'POST /api/quotes/{id}/revise → 200': [`: ${QUOTE} ${NUMBERS} version`, CLIENT],
  'GET /api/quotes/{id}/versions → 200': ['[]: id version createdBy createdAt@', `[].snapshot: clientId items notes ${TEXTS}`, '[].snapshot.items[]: unitPrice$'],
  'POST /api/quotes/{id}/share → 200': [': success'],
  'GET /api/quotes/{id}/signature → 200': [': signature'],
  'GET /api/templates → 200': TEMPLATES('[]'),
  'POST /api/templates → 201': TEMPLATES(''),
  'GET /api/templates/{id} → 200': TEMPLATES(''),
  'PATCH /api/templates/{id} → 200': TEMPLATES(''),
  'DELETE /api/templates/{id} → 200': [': ok'],
  'POST /api/connector/actions/create-from-template → 201': CREATED,
  'GET /api/connector/actions/list-templates → 200': ['[]: id name label value'],
  'GET /api/automations → 200': [`[]: ${AUTOMATION} _count`, '[]._count: logs#'],
  'POST /api/automations → 201': [`: ${AUTOMATION}`],
  'GET /api/automations/{id} → 200': [`: ${AUTOMATION} logs`, `logs[]: ${LOG}`],
  'PATCH /api/automations/{id} → 200': [`: ${AUTOMATION}`],
  'DELETE /api/automations/{id} → 200': [': ok'],
  'GET /api/automations/{id}/logs → 200': [`: logs ${PAGE}`, `logs[]: ${LOG}`],
  'GET /api/webhooks → 200': [`[]${WEBHOOK} _count`, '[]._count: deliveries#'],
  'POST /api/webhooks → 201': [WEBHOOK],
  'GET /api/webhooks/{id} → 200': [WEBHOOK],
  'PUT /api/webhooks/{id} → 200': [WEBHOOK],
  'DELETE /api/webhooks/{id} → 200': [': ok'],
  'POST /api/webhooks/{id}/test → 200': [': success statusCode'],
  'GET /api/webhooks/{id}/deliveries → 200': [`: data ${CURSOR_PAGE}`, 'data[]: id webhookId event payload statusCode responseBody deliveredAt createdAt@'],
  'GET /api/settings → 200': SETTINGS,
  'PUT /api/settings → 200': SETTINGS,
  'POST /api/settings/logo → 200': [': logoUrl storageKey'],
  'GET /api/audit-logs → 200': [`: data ${CURSOR_PAGE}`, 'data[]: id action entity entityId metadata tenantId createdAt@ user', 'data[].user: id name email'],
  'GET /api/pipeline → 200': [': data', 'data[]: id quoteNumber status createdAt@ subtotal$ tax$ total$', 'data[].client: contactName companyName', 'data[].user: name'],
  'GET /api/pipeline/vendors → 200': ['data[]: id name email'],
  'GET /api/dashboard → 200': ['data: kpis amounts chartData statusDistribution recentQuotes topClients collaboratorActivity period', 'data.kpis.generated: value# trend#', 'data.kpis.won: value# rate# trend#', 'data.kpis.lost: value# rate# trend#', 'data.kpis.clients: value# newInPeriod# trend#', 'data.amounts: quoted# won# prevQuoted#', 'data.chartData[]: date generated# won# amount#', 'data.statusDistribution[]: name value# color', 'data.recentQuotes[]: id quoteNumber status total# createdAt@ clientName companyName', 'data.topClients[]: name company count# total#', 'data.collaboratorActivity[]: userId name generated# won# lost# amount#', 'data.period: from to label'],
  'GET /api/notifications → 200': [': data unreadCount#', 'data[]: id type title body metadata readAt createdAt@'],
  'PATCH /api/notifications/{id}/read → 200': [': success'],
  'POST /api/notifications/mark-all-read → 200': [': updated#'],
  'POST /api/auth/callback/credentials → 200': [': user', 'user: id email name role tenantId plan'],
}; // prettier-ignore

/**
 * Compares the OpenAPI document with the documented members. Every response in tests is compared with the document
 * (tests/api/conformance.ts); the values are tested with each resource.
 */
describe('Documented response of each endpoint', () => {
  let document: OpenApi;
  before(async () => {
    // The document has the type object; OpenApi declares the parts that are read here.
    document = inlined(openApiDocument(await documentedRoutes(), 'http://127.0.0.1') as OpenApi);
  });

  const schemasOf = (schema: Schema | undefined): readonly Schema[] => schema?.anyOf ?? (schema ? [schema] : []);
  /** The object at a place like `data[].user`. */
  const objectAt = (schema: Schema | undefined, place: string): Schema | undefined => {
    const steps = place.match(/\[\]|\w+/g) ?? [];
    return steps
      .reduce<readonly Schema[]>(
        (at, step) => at.flatMap(({ items, properties }) => schemasOf(step === '[]' ? items : properties?.[step])),
        schemasOf(schema),
      )
      .find(({ properties }) => properties);
  };
  const SUFFIXES: Readonly<Record<string, (schema: Schema) => boolean>> = {
    $: ({ type, pattern }) => type === 'string' && pattern !== undefined && new RegExp(pattern).test('1160.00'),
    '#': ({ type }) => type === 'number' || type === 'integer',
    '@': ({ type, format }) => type === 'string' && format === 'date-time',
  };
  const fits = (object: Schema | undefined, member: string): boolean => {
    const [, name = '', suffix = '', optional = ''] = /^(\w+)([$#@]?)(\??)$/.exec(member) ?? [];
    const required = optional === '?' || (object?.required?.includes(name) ?? false);
    return required && schemasOf(object?.properties?.[name]).some(SUFFIXES[suffix] ?? (() => true));
  };

  for (const [endpoint, places] of Object.entries(ENDPOINTS)) {
    it(`${endpoint} with its members, money and times in their form`, () => {
      const [method = '', path = '', , status = ''] = endpoint.split(' ');
      const schema = document.paths[path]?.[method.toLowerCase()]?.responses[status]?.content?.['application/json'];

      const missing = places.flatMap((row) => {
        const [place = '', members = ''] = row.split(': ');
        const object = objectAt(schema?.schema, place);
        return members.split(' ').flatMap((member) => (fits(object, member) ? [] : [`${place} ${member}`]));
      });

      assert.deepEqual(missing, []);
    });
  }
});

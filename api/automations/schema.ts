import { type Static, type TSchema, Type } from 'typebox';
import {
  AUTOMATION_LOG_STATUSES,
  type AutomationAction,
  EMAIL_RECIPIENTS,
  MAX_DELAY_MINUTES,
  TRIGGERS,
} from '../../domain/automation.ts';
import { CONDITION_FIELDS, OPERATORS } from '../../domain/conditions.ts';
import { QUOTE_STATUSES } from '../../domain/quote-status.ts';
import { TEXT_VARIABLES } from '../../domain/template-text.ts';
import {
  dropsUnknown,
  named,
  namedInput,
  id,
  limit,
  line,
  nullable,
  oneOf,
  optionalEmail,
  page,
  text,
  timestamp,
  Warning,
} from '../schema.ts';
import { targetUrl } from '../webhooks/schema.ts';

const name = () => line(100, { examples: ['Avisar de cotizaciones grandes'] });
const trigger = () => oneOf('AutomationTrigger', TRIGGERS, { examples: ['QUOTE_CREATED'] });
const delayMinutes = (options: object = {}) =>
  Type.Integer({
    minimum: 0,
    maximum: MAX_DELAY_MINUTES,
    description: 'minutos entre el evento y las acciones',
    examples: [30],
    ...options,
  });

const withVariables = { description: `admite ${TEXT_VARIABLES.map((variable) => `{{${variable}}}`).join(' ')}` };
const subject = (maxLength: number, options: object = {}) => line(maxLength, { ...withVariables, ...options });
const body = (maxLength: number, options: object = {}) => text(maxLength, { ...withVariables, ...options });

const Condition = namedInput('AutomationCondition', {
  field: oneOf('ConditionField', CONDITION_FIELDS, { examples: ['total'] }),
  operator: oneOf('ConditionOperator', OPERATORS, { examples: ['gte'] }),
  value: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'number'],
      maxLength: 2000,
      description: 'no hace falta con is_empty e is_not_empty',
      examples: [10000],
    }),
  ),
});

/** The default makes a member optional in requests only, so requests have a name of their own. */
const fireWebhook = (side: '' | 'Input') =>
  namedInput(`FireWebhookAction${side}`, {
    type: Type.Literal('fire_webhook'),
    url: targetUrl(),
    headers: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        title: 'RequestHeaders',
        type: 'object',
        maxProperties: 1000,
        additionalProperties: { type: 'string', maxLength: 4096 },
        examples: [{ 'X-Origen': 'cotizaciones' }],
      }),
    ),
    includeItems: Type.Boolean({ default: true }),
  });

/** One schema for each type of action; a type without one does not compile. */
const ACTIONS = {
  send_email: namedInput('SendEmailAction', {
    type: Type.Literal('send_email'),
    to: oneOf('EmailRecipient', EMAIL_RECIPIENTS, { examples: ['client'] }),
    customEmail: optionalEmail({ description: 'obligatorio cuando `to` es custom' }),
    subject: subject(255, { examples: ['Tu cotización {{quote.quoteNumber}}'] }),
    body: body(10_000, { examples: ['Hola {{client.contactName}}: el total es {{quote.total}}.'] }),
  }),
  send_notification: namedInput('SendNotificationAction', {
    type: Type.Literal('send_notification'),
    title: subject(255, { examples: ['Cotización {{quote.quoteNumber}} enviada'] }),
    body: body(2000, { examples: ['Para {{client.contactName}}'] }),
  }),
  change_status: namedInput('ChangeStatusAction', {
    type: Type.Literal('change_status'),
    newStatus: oneOf('QuoteStatus', QUOTE_STATUSES),
  }),
  add_label: namedInput('AddLabelAction', {
    type: Type.Literal('add_label'),
    labelId: Type.String({ minLength: 1, maxLength: 64 }),
  }),
  create_reminder: namedInput('CreateReminderAction', {
    type: Type.Literal('create_reminder'),
    delayMinutes: delayMinutes(),
    message: body(2000, { examples: ['Llamar a {{client.contactName}}'] }),
  }),
  fire_webhook: fireWebhook('Input'),
} satisfies { readonly [T in AutomationAction['type']]: TSchema };

/** With the discriminator Ajv applies checks, defaults and removal only to the branch that `type` names. */
const actions = (side: '' | 'Input') =>
  Type.Array(
    Type.Unsafe<AutomationAction>({
      title: `AutomationAction${side}`,
      type: 'object',
      discriminator: { propertyName: 'type' },
      oneOf: Object.values({ ...ACTIONS, fire_webhook: fireWebhook(side) }),
    }),
    { minItems: 1, maxItems: 20 },
  );

const conditions = (options: object = {}) => Type.Array(Condition, { maxItems: 50, ...options });

export const CreateAutomation = namedInput('AutomationInput', {
  name: name(),
  trigger: trigger(),
  isActive: Type.Boolean({ default: true }),
  conditions: conditions({ default: [] }),
  actions: actions('Input'),
  delayMinutes: delayMinutes({ default: 0 }),
});
export type CreateAutomation = Static<typeof CreateAutomation>;

export const UpdateAutomation = namedInput('AutomationUpdate', {
  name: Type.Optional(name()),
  trigger: Type.Optional(trigger()),
  isActive: Type.Optional(Type.Boolean()),
  conditions: Type.Optional(conditions()),
  actions: Type.Optional(actions('Input')),
  delayMinutes: Type.Optional(delayMinutes()),
});
export type UpdateAutomation = Static<typeof UpdateAutomation>;

export const ListLogs = dropsUnknown({ page: page(), limit: limit() });
export const TestAutomation = namedInput('AutomationTestInput', {
  quoteId: Type.String({ minLength: 1, maxLength: 64 }),
});

const automation = {
  id: id(),
  name: name(),
  trigger: trigger(),
  isActive: Type.Boolean(),
  conditions: conditions(),
  actions: actions(''),
  delayMinutes: delayMinutes(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
};
export const AutomationLogBody = named('AutomationLog', {
  id: id(),
  automationId: id(),
  quoteId: id(),
  tenantId: id(),
  status: oneOf('AutomationLogStatus', AUTOMATION_LOG_STATUSES, { examples: ['COMPLETED'] }),
  triggeredAt: timestamp(),
  completedAt: nullable(timestamp()),
  error: nullable(Type.String({ examples: ['omitida: la automatización está inactiva'] })),
});
export const SavedAutomation = named('SavedAutomation', {
  ...automation,
  warnings: Type.Optional(
    Type.Array(Warning, {
      description: 'lo que no impide guardarla, pero conviene corregir',
      examples: [[{ path: 'actions.0.body', message: 'el enlace de la cotización no abre hasta que se envía' }]],
    }),
  ),
});
export const AutomationSummary = named('AutomationSummary', {
  ...automation,
  _count: named('AutomationCount', { logs: Type.Integer({ examples: [3] }) }),
  lastRun: nullable(AutomationLogBody),
});
export const AutomationWithLogs = named('Automation', {
  ...automation,
  logs: Type.Array(AutomationLogBody, { description: 'las últimas 10 ejecuciones' }),
});
export const LogPage = named('AutomationLogPage', {
  logs: Type.Array(AutomationLogBody),
  total: Type.Integer(),
  page: Type.Integer(),
  totalPages: Type.Integer(),
});

const actual = { type: ['string', 'number', 'null'] };
export const TestOutcome = named('AutomationTestResult', {
  matched: Type.Boolean({ description: 'si todas las condiciones se cumplen' }),
  conditions: Type.Array(
    named('AutomationTestCondition', {
      field: oneOf('ConditionField', CONDITION_FIELDS, { examples: ['total'] }),
      operator: oneOf('ConditionOperator', OPERATORS, { examples: ['gte'] }),
      value: Type.Unsafe<string | number | null>({ ...actual, examples: [10000] }),
      actual: Type.Unsafe<unknown>({
        type: ['string', 'number', 'null', 'array'],
        items: actual,
        description: 'lo que tiene la cotización; una lista con los campos `items.`',
        examples: [11600],
      }),
      holds: Type.Boolean(),
    }),
  ),
  actions: Type.Array(
    named('AutomationTestAction', {
      type: Type.String({ examples: ['send_notification'] }),
      preview: Type.String({ description: 'lo que se haría', examples: ['Notificación al dueño: Cotización 12'] }),
    }),
  ),
});

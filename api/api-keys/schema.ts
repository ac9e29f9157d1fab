import { type Static, Type } from 'typebox';
import { KEY_SCOPES } from '../../domain/caller.ts';
import { dayOrMoment, id, line, named, namedInput, nullable, oneOf, timestamp } from '../schema.ts';

export const CreateApiKey = namedInput('ApiKeyInput', {
  name: line(100, { description: 'para qué es', examples: ['Integración con contabilidad'] }),
  scope: Type.Optional(
    oneOf('KeyScope', KEY_SCOPES, {
      default: 'full',
      description: '`read` solo consulta: GET y HEAD, sin enlaces de clientes, claves ni acceso',
    }),
  ),
  expiresAt: Type.Optional(
    nullable(
      dayOrMoment({
        description: 'Desde cuándo deja de valer; una fecha vale hasta el final de ese día. Sin ella no vence.',
        examples: ['2027-12-31'],
      }),
    ),
  ),
});
export type CreateApiKey = Static<typeof CreateApiKey>;

const common = {
  id: id(),
  name: Type.String({ examples: ['Integración con contabilidad'] }),
  prefix: Type.String({ description: 'con que empieza', examples: ['svc_1f3a'] }),
  last4: Type.String({ description: 'en que termina', examples: ['9c0d'] }),
  scope: oneOf('KeyScope', KEY_SCOPES),
  expiresAt: nullable(timestamp()),
  createdAt: timestamp(),
};

export const ApiKeyBody = named('ApiKey', {
  ...common,
  userId: id(),
  lastUsedAt: nullable(timestamp()),
  lastUsedIp: nullable(Type.String({ examples: ['203.0.113.7'] })),
});

/** The response of POST, the only one with the key. */
export const CreatedApiKey = named('CreatedApiKey', {
  ...common,
  key: Type.String({
    description: 'solo se muestra esta vez',
    examples: ['svc_1f3a5c7e9b2d4f6081a3c5e7092b4d6f1b2e9c0d'],
  }),
});

import { type Static, Type } from 'typebox';
import { named, namedInput, id, line, nullable, timestamp } from '../schema.ts';

export const CreateApiKey = namedInput('ApiKeyInput', {
  name: line(100, { description: 'para qué es', examples: ['Integración con contabilidad'] }),
});
export type CreateApiKey = Static<typeof CreateApiKey>;

const common = {
  id: id(),
  name: Type.String({ examples: ['Integración con contabilidad'] }),
  prefix: Type.String({ description: 'con que empieza', examples: ['svc_1f3a'] }),
  last4: Type.String({ description: 'en que termina', examples: ['9c0d'] }),
  createdAt: timestamp(),
};

export const ApiKeyBody = named('ApiKey', { ...common, lastUsedAt: nullable(timestamp()) });

/** The response of POST, the only one with the key. */
export const CreatedApiKey = named('CreatedApiKey', {
  ...common,
  key: Type.String({
    description: 'solo se muestra esta vez',
    examples: ['svc_1f3a5c7e9b2d4f6081a3c5e7092b4d6f1b2e9c0d'],
  }),
});

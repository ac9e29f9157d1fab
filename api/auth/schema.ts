import { type Static, Type } from 'typebox';
import { PLANS } from '../../domain/plans.ts';
import { ROLES } from '../../domain/permissions.ts';
import { closed, email, id, line, nullable, oneOf, timestamp } from '../schema.ts';

const password = () => Type.String({ minLength: 8, maxLength: 128, examples: ['una frase larga'] });

export const Register = closed({
  businessName: line(100, { minLength: 2 }),
  name: line(100),
  email: email(),
  password: password(),
});
export type Register = Static<typeof Register>;

// No format here: a wrong address is a wrong login, not a wrong request.
export const Credentials = closed({
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 128 }),
});
export type Credentials = Static<typeof Credentials>;

export const SessionBody = Type.Object({
  user: Type.Object({
    id: id(),
    email: Type.String(),
    name: Type.String(),
    role: oneOf(ROLES),
    tenantId: id(),
    plan: oneOf(PLANS),
  }),
  expires: nullable(timestamp()),
});

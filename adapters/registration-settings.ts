import { Type } from 'typebox';
import { choice } from './choice.ts';

/** Who registers a business, and what a new one may do. */
export const registrationSettings = {
  REGISTRATION: choice(['open', 'closed'], 'open', 'who registers a business: anybody, or only operators'),
  EMAIL_VERIFICATION: Type.Optional(
    Type.Union([Type.Literal('required'), Type.Literal('off')], {
      description:
        'whether a registered business must confirm its address before it reaches other people; by default `required`, and `off` outside production',
    }),
  ),
  SIGNUP_PLAN: choice(['FREE', 'PRO'], 'FREE', 'plan of a newly registered business'),
};

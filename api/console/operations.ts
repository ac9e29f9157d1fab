import type { Static, TSchema } from 'typebox';
import type { operations as ClientOperations } from '../../packages/client/schema.d.ts';
import type {
  AcceptInvitation,
  ActiveSession,
  ChangePassword,
  Credentials,
  DisableTwoFactor,
  ForgotPassword,
  Password,
  PasswordAndCode,
  RecoveryCodes,
  Register,
  ResetPassword,
  SessionBody,
  TwoFactorSecret,
  TwoFactorState,
  VerifyEmail,
} from '../auth/schema.ts';
import type { Done } from '../schema.ts';

/** The operations of the API as types: input and result by operationId. */

interface Shape {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly result: unknown;
}

interface OfSession<Body, Result extends TSchema, Params = undefined> {
  readonly params: Params;
  readonly query: undefined;
  readonly body: Body;
  readonly result: Static<Result>;
}

/** Operations that take a session only. The generated client, which is for keys, lacks them. */
interface SessionOperations {
  registerBusiness: OfSession<Register, typeof SessionBody>;
  createSession: OfSession<Credentials, typeof SessionBody>;
  getSession: OfSession<undefined, typeof SessionBody>;
  endSession: OfSession<undefined, typeof Done>;
  requestPasswordReset: OfSession<Static<typeof ForgotPassword>, typeof Done>;
  resetPassword: OfSession<ResetPassword, typeof Done>;
  acceptInvitation: OfSession<AcceptInvitation, typeof SessionBody>;
  verifyEmail: OfSession<Static<typeof VerifyEmail>, typeof Done>;
  resendVerification: OfSession<undefined, typeof Done>;
  listSessions: { params: undefined; query: undefined; body: undefined; result: Static<typeof ActiveSession>[] };
  deleteSession: OfSession<undefined, typeof Done, { readonly id: string }>;
  endAllSessions: OfSession<undefined, typeof Done>;
  changePassword: OfSession<ChangePassword, typeof Done>;
  getTwoFactor: OfSession<undefined, typeof TwoFactorState>;
  setUpTwoFactor: OfSession<Static<typeof Password>, typeof TwoFactorSecret>;
  enableTwoFactor: OfSession<Static<typeof PasswordAndCode>, typeof RecoveryCodes>;
  renewRecoveryCodes: OfSession<Static<typeof PasswordAndCode>, typeof RecoveryCodes>;
  disableTwoFactor: OfSession<Static<typeof DisableTwoFactor>, typeof Done>;
}

type JsonOf<Content> = Content extends { readonly content: { readonly 'application/json': infer Json } } ? Json : never;

type Success<Responses> = {
  [Status in keyof Responses & (200 | 201 | 202)]: JsonOf<Responses[Status]>;
}[keyof Responses & (200 | 201 | 202)];

type OfClient<Operation> = {
  readonly params: Operation extends { readonly parameters: { readonly path: infer Path } } ? Path : undefined;
  readonly query: Operation extends { readonly parameters: { readonly query?: infer Query } } ? Query : undefined;
  readonly body: Operation extends { readonly requestBody?: infer Body } ? JsonOf<Body> : undefined;
  readonly result: Operation extends { readonly responses: infer Responses } ? Success<Responses> : never;
};

export type OperationId = keyof ClientOperations | keyof SessionOperations;

type ShapeOf<Id extends OperationId> = Id extends keyof SessionOperations
  ? SessionOperations[Id] & Shape
  : Id extends keyof ClientOperations
    ? OfClient<ClientOperations[Id]>
    : never;

export type BodyOf<Id extends OperationId> = ShapeOf<Id>['body'];
export type ResultOf<Id extends OperationId> = ShapeOf<Id>['result'];
export type QueryOf<Id extends OperationId> = NonNullable<ShapeOf<Id>['query']>;

type Defined<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [Key in Name]?: undefined }
  : { readonly [Key in Name]: Value };

/** The input of an operation. Members that it does not take must be absent. */
export type OperationInput<Id extends OperationId> = Defined<'params', ShapeOf<Id>['params']> & {
  readonly query?: QueryOf<Id>;
  readonly body?: BodyOf<Id>;
  /** The Idempotency-Key. */
  readonly key?: string | undefined;
  /** The ETag for If-Match. */
  readonly tag?: string | undefined;
};

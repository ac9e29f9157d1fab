import 'koa';

declare module 'koa' {
  /** What middleware and endpoints leave for each other in `ctx.state`. */
  interface DefaultState {
    /** Set by the first middleware. */
    requestId: string;
    /** Path of the route that matched, in Koa's form. */
    route?: string;
    /** Of a caller who is signed in. */
    tenantId?: string;
    /** Whether the request was counted against its address already. */
    isAddressCounted?: boolean;
  }
}

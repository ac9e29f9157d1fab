/**
 * When the lease on a row that is being dispatched ends: the call to Temporal has 5 s, and then the row is marked. Rows of a
 * dispatcher that died are claimed by others after that.
 */
export const LEASE_END = "now() + interval '10 seconds'";

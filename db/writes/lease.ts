/**
 * When the lease on a row ends that a relay takes to Temporal: its call has 5 s, and then the row is marked. A relay that
 * died leaves its rows to others after that.
 */
export const LEASE_END = "now() + interval '10 seconds'";

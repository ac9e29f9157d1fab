/**
 * `ms` states no types under nodenext, and without them Temporal's durations are `any`: 'not a duration' compiles.
 */
declare module 'ms' {
  type Unit =
    | 'ms'
    | 's'
    | 'm'
    | 'h'
    | 'd'
    | 'w'
    | 'second'
    | 'seconds'
    | 'minute'
    | 'minutes'
    | 'hour'
    | 'hours'
    | 'day'
    | 'days';
  export type StringValue = `${number}` | `${number}${Unit}` | `${number} ${Unit}`;
}

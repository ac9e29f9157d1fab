// Loaded before a process's own modules: its clock is CLOCK_SKEW_MS ahead of everybody else's, or behind. Timers run as
// fast as ever, as they do on a machine whose clock is wrong. Plain JavaScript, since threads load it too, without tsx.
const skewMs = Number(process.env['CLOCK_SKEW_MS']);
const RealDate = Date;
const now = () => RealDate.now() + skewMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

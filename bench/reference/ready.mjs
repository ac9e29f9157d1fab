// Tells the bench that the server listens, and ends with the bench.
export function ready() {
  process.send?.({ ready: true });
  for (const event of ['SIGTERM', 'disconnect']) process.once(event, () => process.exit(0));
}

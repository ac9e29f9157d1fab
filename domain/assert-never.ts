/** The end of a switch over a union: a new member does not compile until every such switch knows it. */
export function assertNever(value: never): never {
  throw new Error(`a case is missing: ${JSON.stringify(value)}`);
}

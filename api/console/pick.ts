/** The members with these names. */
export const pick = <const Name extends string>(
  record: Readonly<Record<string, string>>,
  names: readonly Name[],
): { readonly [Key in Name]?: string } =>
  Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]]))) as {
    [Key in Name]?: string;
  };

/** The filter `active` of a list: active records, unless others are asked for. */
export const activeIn = ({ active }: { readonly active?: string }): boolean => active !== 'false';

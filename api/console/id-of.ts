/** The record of a page whose path ends in `:id`. */
export const idOf = ({ params }: { readonly params: Readonly<Record<string, string>> }): { readonly id: string } => ({
  id: params['id'] ?? '',
});

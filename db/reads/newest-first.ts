/** The order of lists: newest first, and by id where times are equal. `of` is the table's name where there are several. */
export const newestFirst = (of?: string) =>
  ['createdAt', 'id'].map((column) => ({
    column: of === undefined ? column : `${of}.${column}`,
    order: 'desc' as const,
  }));

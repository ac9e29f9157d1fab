import type { ImportKind } from '../../domain/imports.ts';

interface KindWords {
  readonly title: string;
  readonly one: string;
  readonly many: string;
  readonly list: string;
  /** What makes two rows the same record. */
  readonly key: string;
}

export const KINDS: Readonly<Record<ImportKind, KindWords>> = {
  clients: {
    title: 'Importar clientes',
    one: 'cliente',
    many: 'clientes',
    list: '/app/clients',
    key: 'el mismo correo',
  },
  products: {
    title: 'Importar productos',
    one: 'producto',
    many: 'productos',
    list: '/app/products',
    key: 'el mismo modelo',
  },
};

/** "1 cliente", "1,200 productos" */
export const counted = (count: number, kind: ImportKind): string =>
  `${count.toLocaleString('es-MX')} ${count === 1 ? KINDS[kind].one : KINDS[kind].many}`;

export const importPath = (kind: ImportKind): string => `/app/imports/${kind}`;

import { importNotFound, importRefused, importRunning, noFile } from '../../domain/errors.ts';
import { fileTooLarge } from '../../domain/request-refusals.ts';
import { IMPORT_COLUMNS } from '../../domain/import-columns.ts';
import {
  type ImportKind,
  MAX_IMMEDIATE_ROWS,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
} from '../../domain/imports.ts';
import type { Permission } from '../../domain/permissions.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../route.ts';
import { IdParams } from '../schema.ts';
import { importBody } from './present.ts';
import { ImportBody, ImportForm, ImportQuery, StartedImport } from './schema.ts';
import { findImport, startImport } from './start.ts';

const tag = 'Imports';

/** What the reference says of the columns. */
const columnsOf = (kind: ImportKind): string =>
  IMPORT_COLUMNS[kind]
    .map(
      ({ headers: [first, ...others], isRequired }) =>
        `**${first}**${isRequired ? ' (obligatoria)' : ''}: ${others.join(', ')}`,
    )
    .join('; ');

const description = (kind: ImportKind, duplicate: string): string =>
  `CSV separado por coma o punto y coma (UTF-8 o Windows-1252), o la primera hoja de un XLSX. La primera fila es el ` +
  `encabezado, en español o inglés, sin distinguir mayúsculas ni acentos. Columnas, con sus otros nombres: ${columnsOf(kind)}. ` +
  `Las demás se ignoran y la respuesta las nombra en X-Ignored-Members.\n\n` +
  `Se guardan todas las filas o ninguna: con un error, \`status\` es FAILED y \`errors\` dice fila y columna. Duplicado es ` +
  `${duplicate}, en el archivo o en el negocio. Hasta ${MAX_IMMEDIATE_ROWS} filas la respuesta es el informe (200); con más, ` +
  `solo el \`id\` (202), y \`getImport\` dice cómo va. Una importación a la vez por negocio.\n\n` +
  `Límites: 5 MB, ${MAX_IMPORT_ROWS} filas, ${MAX_IMPORT_COLUMNS} columnas; un XLSX, 50 MB sin comprimir. De una fórmula de ` +
  `un XLSX se toma su último valor; un texto que empieza como fórmula se rechaza. No se emiten eventos por cada registro; ` +
  `la bitácora tiene una entrada.`;

interface ImportRoute {
  readonly operationId: string;
  readonly kind: ImportKind;
  readonly access: Permission;
  readonly summary: string;
  readonly duplicate: string;
}

const importRoute = (deps: Deps, { operationId, kind, access, summary, duplicate }: ImportRoute): Route =>
  route({
    method: 'POST',
    path: `/api/${kind}/import`,
    operationId,
    tag,
    summary,
    description: description(kind, duplicate),
    access,
    needsVerifiedEmail: true,
    rate: 'upload',
    idempotency: 'transaction',
    query: ImportQuery,
    body: ImportForm,
    upload: { field: 'file', maxBytes: MAX_IMPORT_BYTES, missing: noFile, tooLarge: fileTooLarge },
    responses: {
      200: { description: 'El informe', schema: ImportBody },
      202: { description: 'Un archivo grande: se importa en un flujo de trabajo', schema: StartedImport },
    },
    refusals: [
      noFile(),
      fileTooLarge(),
      importRefused('Falta la columna «contacto» en la primera fila'),
      importRunning(),
    ],
    handle: ({ caller, query, body, signal, transact }) =>
      startImport(deps, caller, { kind, file: body.file, query, signal, transact }),
  });

export const importRoutes = (deps: Deps): readonly Route[] => [
  importRoute(deps, {
    operationId: 'importClients',
    kind: 'clients',
    access: 'clients:manage',
    summary: 'Importa clientes de un archivo',
    duplicate: 'el cliente con el mismo correo',
  }),
  importRoute(deps, {
    operationId: 'importProducts',
    kind: 'products',
    access: 'products:manage',
    summary: 'Importa productos de un archivo',
    duplicate: 'el producto con el mismo modelo',
  }),
  route({
    method: 'GET',
    path: '/api/imports/:id',
    operationId: 'getImport',
    tag,
    summary: 'Lee el estado y el informe de una importación',
    access: 'config:manage',
    params: IdParams,
    responses: { 200: { description: 'El informe hasta ahora', schema: ImportBody } },
    refusals: [importNotFound()],
    handle: ({ caller, params, inTenant }) =>
      inTenant(async (trx) => importBody(await findImport(trx, caller.tenantId, params.id))),
  }),
];

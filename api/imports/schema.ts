import { type Static, Type } from 'typebox';
import { IMPORT_KINDS, IMPORT_STATUSES, MAX_IMPORT_PROBLEMS, ON_DUPLICATE } from '../../domain/imports.ts';
import { named, dropsUnknown, id, nullable, oneOf, timestamp } from '../schema.ts';

export const ImportQuery = dropsUnknown({
  dryRun: Type.Boolean({ default: false, description: 'true: revisa el archivo y no guarda nada' }),
  onDuplicate: oneOf('OnDuplicate', ON_DUPLICATE, {
    default: 'error',
    description:
      'con un registro que ya existe o se repite en el archivo: error lo informa y no guarda nada, skip lo omite',
  }),
});
export type ImportQuery = Static<typeof ImportQuery>;

/** The form of the file, only for the OpenAPI document: `read-upload.ts` reads it. */
export const ImportForm = named('ImportUpload', {
  file: Type.Unsafe<Buffer>({ type: 'string', format: 'binary', description: 'CSV o XLSX, hasta 5 MB' }),
});

const Problem = named('ImportProblem', {
  row: Type.Integer({ description: 'como en la hoja: el encabezado es la fila 1', examples: [7] }),
  column: nullable(Type.String({ description: 'el encabezado; nulo si es toda la fila', examples: ['Correo'] })),
  message: Type.String({ examples: ['debe ser un correo electrónico'] }),
});

export const ImportBody = named('Import', {
  id: id(),
  kind: oneOf('ImportKind', IMPORT_KINDS),
  status: oneOf('ImportStatus', IMPORT_STATUSES, { description: 'FAILED: no se guardó ninguna fila' }),
  dryRun: Type.Boolean(),
  total: Type.Integer({ description: 'filas del archivo', examples: [120] }),
  done: Type.Integer({ description: 'filas procesadas hasta ahora', examples: [120] }),
  created: Type.Integer({ description: 'registros creados; en una prueba, los que se crearían', examples: [118] }),
  skipped: Type.Integer({ description: 'duplicados omitidos', examples: [2] }),
  errors: Type.Array(Problem, { description: `los primeros ${MAX_IMPORT_PROBLEMS}` }),
  createdAt: timestamp(),
  completedAt: nullable(timestamp()),
});

/** The response to a large file. */
export const StartedImport = named('StartedImport', { id: id() });

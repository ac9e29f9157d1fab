import type { FormState } from '../../../console/forms/form-state.ts';
import { valueOf } from '../../../console/forms/form-state.ts';
import { importReportPage } from '../../../console/imports/report-page.ts';
import { importStartPage } from '../../../console/imports/start-page.ts';
import { importUploadPage } from '../../../console/imports/upload-page.ts';
import { importPath } from '../../../console/imports/words.ts';
import { noFile, type ServiceError } from '../../../domain/errors.ts';
import { IMPORT_COLUMNS } from '../../../domain/import-columns.ts';
import { IMPORT_KINDS, type ImportKind, MAX_IMPORT_BYTES } from '../../../domain/imports.ts';
import { fileTooLarge } from '../../../domain/request-refusals.ts';
import { type Page, page, type PageRequest } from '../declaration.ts';
import { newForm } from '../form.ts';
import { idOf } from '../id-of.ts';
import type { ResultOf } from '../operations.ts';
import { submitted } from '../page.ts';

const PERMISSIONS = { clients: 'clients:manage', products: 'products:manage' } as const;
const OPERATIONS = { clients: 'importClients', products: 'importProducts' } as const;

/** A row that shows how each column is filled in. */
const EXAMPLES: { readonly [Kind in ImportKind]: Readonly<Record<string, string>> } = {
  clients: {
    contactName: 'Ana Torres',
    companyName: 'Ferretería La Palma',
    email: 'ana@lapalma.example',
    phone: '55 1234 5678',
    taxId: 'XAXX010101000',
    address: 'Av. Juárez 12 Centro Puebla',
    country: 'MX',
    locale: 'es-MX',
    notes: 'Paga a 30 días',
  },
  products: {
    name: 'Silla ejecutiva',
    modelSku: 'SE-200',
    description: 'Respaldo de malla',
    unitPrice: '1850.50',
    currency: 'MXN',
    unit: '',
    taxes: '',
  },
};

/** A file with the columns of the kind; with the byte order mark by which spreadsheets know UTF-8. */
function templateOf(kind: ImportKind): string {
  const columns = IMPORT_COLUMNS[kind];
  const lines = [
    columns.map(({ headers: [first] }) => first),
    columns.map(({ member }) => EXAMPLES[kind][member] ?? ''),
  ];
  return `\uFEFF${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}

const ACCEPTED_BODY = ['total', 'status'];
type Report = ResultOf<'getImport'>;
const isReport = (body: object): body is Report => ACCEPTED_BODY.every((member) => member in body);

async function startImport(request: PageRequest, kind: ImportKind) {
  const { form, file, refusedFile, callForResult, caller } = request;
  if (!file) throw refusedFile ?? noFile();
  const query = {
    dryRun: valueOf(form, 'dryRun') !== 'false',
    onDuplicate: valueOf(form, 'onDuplicate') === 'skip' ? ('skip' as const) : ('error' as const),
  };
  // The body is the read form, which the document of the API describes as a multipart file.
  const body = file as unknown as never;
  const { body: started, headers = {} } = await callForResult(OPERATIONS[kind], { query, body, key: form.key });
  const report = started as Report | { readonly id: string };
  const ignored = (headers['X-Ignored-Members'] ?? '').split(',').map((name) => decodeURIComponent(name.trim()));
  const names = ignored.filter((name) => name !== '');
  // The report does not have the ignored columns, so it is shown here.
  if (names.length > 0 && isReport(report) && caller)
    return importReportPage({ report, ignored: names, timeZone: caller.timeZone });
  return { redirectTo: `/app/imports/${report.id}` };
}

/** Refusals of a file belong to its field. */
function besideFile(form: FormState, { kind, message }: ServiceError): FormState {
  if (kind !== 'invalid' && kind !== 'too_large' && kind !== 'unsupported_media_type') return form;
  return {
    ...form,
    fields: new Map([...form.fields, ['file', ['']]]),
    errors: new Map([['file', message]]),
    refusal: undefined,
  };
}

const pagesOf = (kind: ImportKind): readonly Page[] => [
  page({
    method: 'GET',
    path: `${importPath(kind)}.csv`,
    access: PERMISSIONS[kind],
    handle: () => ({
      file: {
        status: 200,
        body: Buffer.from(templateOf(kind)),
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': `attachment; filename="${kind}.csv"`,
        },
      },
    }),
  }),
  page({
    method: 'GET',
    path: importPath(kind),
    access: PERMISSIONS[kind],
    handle: () => importUploadPage({ kind, form: newForm() }),
  }),
  page({
    method: 'POST',
    path: importPath(kind),
    access: PERMISSIONS[kind],
    upload: { field: 'file', maxBytes: MAX_IMPORT_BYTES, missing: noFile, tooLarge: fileTooLarge },
    showsRefusedFile: true,
    handle: (request) =>
      submitted(request, {
        submit: () => startImport(request, kind),
        show: (refused, refusal) => importUploadPage({ kind, form: besideFile(refused, refusal) }),
      }),
  }),
];

export const importPages: readonly Page[] = [
  page({ method: 'GET', path: '/app/imports', access: 'clients:manage', handle: () => importStartPage() }),
  ...IMPORT_KINDS.flatMap(pagesOf),
  page({
    method: 'GET',
    path: '/app/imports/:id',
    access: 'config:manage',
    handle: async (request) => {
      const report = await request.call('getImport', { params: idOf(request) });
      return importReportPage({ report, ignored: [], timeZone: request.caller.timeZone });
    },
  }),
];

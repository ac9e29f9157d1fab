import { form, pdf } from '../../api/attachment-files.ts';
import { importRow } from '../../api/build.ts';
import { csv, fileForm } from '../../api/spreadsheet-files.ts';
import { rows } from '../../worker/dispatcher-world.ts';
import type { Recorder } from './recorder.ts';
import { ITEM, type Made, UNKNOWN } from './refusal-world.ts';

/** Without the column of the name. */
const NAMELESS = csv([
  ['Empresa', 'Correo electrónico'],
  ['Papelería Núñez', 'beto@nunez.example'],
]);
const PRODUCTS = csv([
  ['Nombre', 'Modelo', 'Precio', 'Moneda'],
  ['Librero de pino', 'LP-5', '2390', 'MXN'],
]);
const CLIENTS = csv([
  ['Nombre de contacto', 'Empresa'],
  ['Beto Núñez', 'Papelería Núñez'],
]);
const FOREIGN_OBJECT =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><foreignObject width="9" height="9"/></svg>';

const logo = (content: string | Buffer, name: string): FormData => {
  const data = new FormData();
  data.set('logo', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
  return data;
};
/** A form with a text and no file. */
const textForm = (): FormData => {
  const data = new FormData();
  data.set('nota', 'sin archivo');
  return data;
};

/** Refusals of uploaded files. */
export async function files({ call }: Recorder, { tenantId, palma }: Made): Promise<void> {
  const { id } = await call('POST /api/quotes', { body: { clientId: palma, items: [ITEM] }, isExample: false });
  const attachTo = (file: FormData, status: number) =>
    call('POST /api/quotes/:id/attachments', { params: { id }, form: file, status });
  await attachTo(textForm(), 400);
  await attachTo(form('#!/bin/sh', 'plano.sh', 'text/plain'), 400);
  await attachTo(form(pdf({ trailer: '/Encrypt 3 0 R' })), 400);
  for (const mark of ['1', '2', '3']) {
    const isExample = false;
    if (mark === '3') await attachTo(form(pdf({ mark, bytes: 4_500_000 })), 409);
    else
      await call('POST /api/quotes/:id/attachments', {
        params: { id },
        form: form(pdf({ mark, bytes: 4_500_000 })),
        isExample,
      });
  }
  for (const mark of ['4', '5', '6'])
    await call('POST /api/quotes/:id/attachments', { params: { id }, form: form(pdf({ mark })), isExample: false });
  await attachTo(form(pdf({ mark: '7' })), 409);
  await call('DELETE /api/quotes/:id/attachments/:attachmentId', {
    params: { id, attachmentId: UNKNOWN },
    status: 404,
  });

  await call('POST /api/settings/logo', { form: textForm(), status: 400 });
  await call('POST /api/settings/logo', { form: logo('GIF89a', 'logo.gif'), status: 400 });
  await call('POST /api/settings/logo', { form: logo(FOREIGN_OBJECT, 'logo.svg'), status: 400 });
  await call('POST /api/settings/logo', { form: logo(Buffer.alloc(2_100_000), 'logo.png'), status: 400 });

  await call('POST /api/clients/import', { form: textForm(), status: 400 });
  await call('POST /api/clients/import', { form: fileForm(NAMELESS), status: 400 });
  await call('POST /api/products/import', { form: textForm(), status: 400 });
  await call('POST /api/products/import', { form: fileForm(NAMELESS), status: 400 });
  const [user] = await rows('select id from users where tenant_id = $1 order by created_at limit 1', tenantId);
  const running = await importRow({ tenantId, userId: String(user?.['id']) });
  await rows("update imports set status = 'RUNNING', completed_at = null where id = $1", running);
  await call('POST /api/clients/import', { form: fileForm(CLIENTS), status: 409 });
  await call('POST /api/products/import', { form: fileForm(PRODUCTS), status: 409 });
  await rows('delete from imports where id = $1', running);
}

import { form, pdf } from '../../api/attachment-files.ts';
import type { Recorder } from './recorder.ts';
import { ITEM, type Made, UNKNOWN } from './refusal-world.ts';

/** Refusals because of the state of a record. */
export async function states({ call }: Recorder, made: Made): Promise<void> {
  const { office, token, lobbyToken, expired, expiredToken, palma, label } = made;
  const body = { clientId: palma, items: [ITEM] };
  const { id } = await call('POST /api/quotes', { body, isExample: false });
  await call('PATCH /api/quotes/:id/status', { params: { id }, body: { status: 'WON' }, status: 400 });
  await call('POST /api/quotes/:id/revise', { params: { id: office }, body, status: 400 });
  await call('PATCH /api/quotes/:id', { params: { id: office }, body: { expiresAt: soon() }, status: 400 });
  await call('GET /api/quotes/:id/signature/evidence', { params: { id }, status: 404 });
  await call('DELETE /api/quotes/:id/labels/:labelId', { params: { id, labelId: UNKNOWN }, status: 404 });
  await call('GET /api/quotes/:id/attachments/:attachmentId', { params: { id, attachmentId: UNKNOWN }, status: 404 });
  await call('POST /api/quotes/:id/share', { params: { id: expired }, status: 400 });
  const withoutAddress = await call('POST /api/clients', { body: { contactName: 'Inés Peña' }, isExample: false });
  const unmailed = await call('POST /api/quotes', {
    body: { clientId: withoutAddress.id, items: [ITEM] },
    isExample: false,
  });
  await call('POST /api/quotes/:id/share', { params: { id: unmailed.id }, status: 400 });
  await call('POST /api/quotes/:id/messages', { params: { id: unmailed.id }, body: { body: 'Buen día' }, status: 400 });

  const answer = { signerName: 'Ana Torres', signerEmail: 'ana@lapalma.example', version: 2 };
  const as = {};
  const rejected = { as, params: { token: lobbyToken }, status: 409 };
  await call('POST /api/portal/:token/accept', { ...rejected, body: { ...answer, version: 1 } });
  await call('POST /api/portal/:token/totals', { ...rejected, body: { version: 1 } });
  await call('POST /api/portal/:token/reject', { as, params: { token }, body: {}, status: 409 });
  const asked = { message: '¿Puede incluir la instalación?', version: 2 };
  await call('POST /api/portal/:token/request-changes', { as, params: { token }, body: asked, status: 409 });
  const late = { params: { token: expiredToken }, as, status: 410 };
  await call('POST /api/portal/:token/accept', { ...late, body: { ...answer, version: 1 } });
  await call('POST /api/portal/:token/totals', { ...late, body: { version: 1 } });
  await call('POST /api/portal/:token/reject', { ...late, body: {} });
  await call('POST /api/portal/:token/request-changes', { ...late, body: { ...asked, version: 1 } });
  await call('GET /api/portal/:token', { as, params: { token: UNKNOWN }, status: 404 });

  const shown = await call('POST /api/quotes', { body, isExample: false });
  const portal = { as, params: { token: shown.publicToken }, status: 409 };
  await call('PATCH /api/quotes/:id/status', { params: { id: shown.id }, body: { status: 'SENT' }, isExample: false });
  await call('POST /api/portal/:token/accept', { ...portal, body: answer });
  await call('POST /api/portal/:token/totals', { ...portal, body: { version: 2 } });
  await call('POST /api/portal/:token/request-changes', { ...portal, body: asked });
  await call('POST /api/quotes/:id/attachments', { params: { id: shown.id }, form: form(pdf()), status: 400 });

  await call('POST /api/labels', { body: { name: 'Urgente' }, status: 409 });
  const spare = await call('POST /api/labels', { body: { name: 'Obra' }, isExample: false });
  await call('PATCH /api/labels/:id', { params: { id: spare.id }, body: { name: 'Urgente' }, status: 409 });
  await call('POST /api/quotes/:id/labels/:labelId', { params: { id: UNKNOWN, labelId: label }, status: 404 });
  const diana = {
    businessName: 'Muebles Roble',
    name: 'Diana Ríos',
    email: 'diana@mueblesroble.example',
    password: 'un roble da sombra',
  };
  await call('POST /api/auth/register', { as, body: diana, status: 409 });
  await call('POST /api/collaborators', { body: { name: 'Diana Ríos', email: diana.email }, status: 409 });
  const [first] = await call('GET /api/collaborators', { isExample: false });
  await call('PATCH /api/collaborators/:id', { params: { id: first.id }, body: { role: 'COLLABORATOR' }, status: 409 });
  await call('DELETE /api/collaborators/:id', { params: { id: first.id }, status: 409 });
}
const soon = (): string => new Date(Date.now() + 3_600_000).toISOString();

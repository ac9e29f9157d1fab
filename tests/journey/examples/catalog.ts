import assert from 'node:assert/strict';
import { csv, fileForm } from '../../api/spreadsheet-files.ts';
import { eventually } from '../../eventually.ts';
import type { Recorder } from './recorder.ts';

/** What the business sells, and to whom. */
export interface Catalog {
  readonly palma: string;
  readonly brisas: string;
  readonly chair: string;
  readonly desk: string;
}

export async function catalog({ call, chapter, look }: Recorder): Promise<Catalog> {
  chapter('2026-12-01T15:50:00.000Z');
  const palma = await call('POST /api/clients', {
    body: {
      contactName: 'Ana Torres',
      companyName: 'Ferretería La Palma',
      email: 'ana@lapalma.example',
      phone: '+52 55 1234 5678',
      taxId: 'FPA0103057K9',
      address: 'Calle 5 de Mayo 214, Centro, 06000 Ciudad de México',
      notes: 'Paga a 30 días',
      contacts: [{ name: 'Jorge Luna', email: 'compras@lapalma.example', role: 'Compras' }],
    },
  });
  const brisas = await call('POST /api/clients', {
    body: { contactName: 'Laura Méndez', companyName: 'Hotel Las Brisas', email: 'laura@lasbrisas.example' },
    isExample: false,
  });
  const former = await call('POST /api/clients', { body: { contactName: 'Raúl Ortega' }, isExample: false });
  await call('DELETE /api/clients/:id', { params: { id: former.id } });
  await call('PATCH /api/clients/:id', {
    params: { id: brisas.id },
    body: { phone: '+52 744 555 0199', locale: 'es-MX' },
  });
  await call('GET /api/clients/:id', { params: { id: palma.id } });
  await call('GET /api/clients', { query: { search: 'palma', active: 'true' } });

  chapter('2026-12-01T16:15:00.000Z');
  const chair = await call('POST /api/products', {
    body: {
      name: 'Silla ejecutiva',
      modelSku: 'SE-200',
      description: 'Respaldo de malla, altura ajustable',
      unitPrice: 1850.5,
      currency: 'MXN',
      taxes: ['IVA16'],
    },
  });
  const desk = await call('POST /api/products', {
    body: { name: 'Escritorio de roble', modelSku: 'ER-140', unitPrice: 6499 },
    isExample: false,
  });
  const former2 = await call('POST /api/products', { body: { name: 'Perchero', unitPrice: 420 }, isExample: false });
  await call('DELETE /api/products/:id', { params: { id: former2.id } });
  await call('PATCH /api/products/:id', { params: { id: desk.id }, body: { unitPrice: 6750, unit: 'pieza' } });
  await call('GET /api/products/:id', { params: { id: chair.id } });
  await call('GET /api/products', { query: { active: 'true' } });

  await imports({ call, look });
  return { palma: palma.id, brisas: brisas.id, chair: chair.id, desk: desk.id };
}

const HEADER = ['Nombre de contacto', 'Empresa', 'Correo electrónico', 'Teléfono'];
const CLIENTS = [
  HEADER,
  ['Beto Núñez', 'Papelería Núñez', 'beto@nunez.example', '+52 55 5555 0101'],
  ['Sofía Lara', 'Clínica Lara', 'sofia@clinicalara.example', '+52 33 5555 0102'],
];
const PRODUCTS = [
  ['Nombre', 'Modelo', 'Precio', 'Moneda'],
  ['Librero de pino', 'LP-5', '2390', 'MXN'],
  ['Banco alto', 'BA-75', '780.50', 'MXN'],
];

/** More rows than the API imports while the caller waits. */
const many = (header: readonly string[], row: (number: number) => readonly string[]): string =>
  csv([header, ...Array.from({ length: 501 }, (_, index) => row(index + 1))]);

async function imports({ call, look }: Pick<Recorder, 'call' | 'look'>): Promise<void> {
  await call('POST /api/clients/import', { query: { onDuplicate: 'skip' }, form: fileForm(csv(CLIENTS)) });
  await call('POST /api/products/import', { query: { onDuplicate: 'skip' }, form: fileForm(csv(PRODUCTS)) });
  const clients = many(HEADER, (n) => [`Cliente ${n}`, '', `cliente${n}@importado.example`, '']);
  await finished(
    { look },
    await call('POST /api/clients/import', { query: { dryRun: 'true' }, form: fileForm(clients) }),
  );
  const products = many(PRODUCTS[0] ?? [], (n) => [`Artículo ${n}`, `ART-${n}`, '10', 'MXN']);
  const { id } = await call('POST /api/products/import', { query: { dryRun: 'true' }, form: fileForm(products) });
  await finished({ look }, { id });
  await call('GET /api/imports/:id', { params: { id } });
}

async function finished({ look }: Pick<Recorder, 'look'>, { id }: { id: string }): Promise<void> {
  await eventually(async () => assert.equal((await look(`/api/imports/${id}`)).status, 'COMPLETED'));
}

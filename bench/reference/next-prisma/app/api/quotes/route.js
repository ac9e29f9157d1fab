import { auth } from '../../../auth.js';
import { prisma } from '../../../prisma.js';

/** Answers what GET /api/quotes of the service answers. */
export async function GET(request) {
  const session = await auth();
  if (!session?.user?.tenantId) return Response.json({ error: 'not signed in' }, { status: 401 });
  const { tenantId } = session.user;
  const { searchParams } = new URL(request.url);
  const page = Number(searchParams.get('page') ?? 1);
  const limit = Number(searchParams.get('limit') ?? 20);

  const [quotes, total, { timeZone }] = await Promise.all([
    prisma.quote.findMany({
      where: { tenantId },
      orderBy: { quoteNumber: 'desc' },
      skip: (page - 1) * limit,
      take: limit,
      include: {
        client: { select: { id: true, contactName: true, companyName: true, email: true, phone: true } },
        user: { select: { name: true } },
        labels: {
          select: { label: { select: { id: true, name: true, color: true } } },
          orderBy: { label: { name: 'asc' } },
        },
      },
    }),
    prisma.quote.count({ where: { tenantId } }),
    prisma.tenant.findUniqueOrThrow({ where: { id: tenantId }, select: { timeZone: true } }),
  ]);
  // Not `_count: { items: true }`: that counts the lines of all tenants in each request.
  const counted = await prisma.quoteItem.groupBy({
    by: ['quoteId'],
    where: { tenantId, quoteId: { in: quotes.map(({ id }) => id) } },
    _count: true,
  });
  const items = new Map(counted.map(({ quoteId, _count }) => [quoteId, _count]));
  return Response.json({
    data: quotes.map((quote) => entry(quote, items.get(quote.id) ?? 0, timeZone)),
    total,
    page,
    totalPages: Math.ceil(total / limit),
  });
}

/** A quote of another status does not expire. */
const OPEN = new Set(['GENERATED', 'SENT']);

const formats = new Map();

/** Formats a day as YYYY-MM-DD; making a format costs far more than using it. */
function dayIn(timeZone) {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
  formats.set(timeZone, format);
  return format;
}

const ANSWERED = new Set(['ACCEPTED', 'REJECTED']);

const answer = ({ status, version, answeredAt, signerName, signerEmail }) =>
  answeredAt && ANSWERED.has(status) ? { outcome: status, at: answeredAt, version, signerName, signerEmail } : null;

const entry = (quote, items, timeZone) => ({
  id: quote.id,
  quoteNumber: quote.quoteNumber,
  displayNumber: quote.displayNumber,
  title: quote.title,
  reference: quote.reference,
  status: quote.status,
  version: quote.version,
  currency: quote.currency,
  subtotal: quote.subtotal.toFixed(2),
  discount: quote.discount.toFixed(2),
  tax: quote.tax.toFixed(2),
  shippingCost: quote.shippingCost.toFixed(2),
  total: quote.total.toFixed(2),
  notes: quote.notes,
  expiresAt: quote.expiresAt,
  validUntil: dayIn(timeZone).format(quote.expiresAt),
  isExpired: OPEN.has(quote.status) && quote.expiresAt <= new Date(),
  viewCount: quote.viewCount,
  createdAt: quote.createdAt,
  client: quote.client,
  user: quote.user,
  labels: quote.labels.map(({ label }) => label),
  answer: answer(quote),
  _count: { items },
});

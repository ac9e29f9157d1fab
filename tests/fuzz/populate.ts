/** The credentials and records of the fuzzer. */
export interface Populated {
  /** An API key of the owner of a business that has records of every kind. */
  readonly key: string;
  /** The same for another business, for operations that could revoke the credential itself. */
  readonly disposableKey: string;
  /** A client and a product of the first business, for quotes to refer to. */
  readonly clientId: string;
  readonly productId: string;
}

/** Two businesses, one of them with a record of every kind, so that ids in responses exist. */
export async function populate(url: string, { receiverUrl }: { receiverUrl: string }): Promise<Populated> {
  const main = await business(url, 'Muebles Roble', 'diana@roble.test');
  const disposable = await business(url, 'Acero Norte', 'raul@acero.test');
  const ids = await everyKindOfRecord(main.post, receiverUrl);
  await disposable.post('/api/collaborators', { email: 'ivan@acero.test', name: 'Iván' });
  return { key: main.key, disposableKey: disposable.key, ...ids };
}

type Post = (path: string, body?: object) => Promise<string>;

async function everyKindOfRecord(post: Post, receiverUrl: string): Promise<Pick<Populated, 'clientId' | 'productId'>> {
  const clientId = await post('/api/clients', { contactName: 'Laura', email: 'laura@palma.test' });
  const productId = await post('/api/products', { name: 'Silla', unitPrice: 100 });
  const items = [{ productId, productName: 'Silla', unitPrice: 100, quantity: 2 }];
  const quoteId = await post('/api/quotes', { clientId, items });
  await post('/api/quotes', { clientId, items, notes: 'Otra' });
  const labelId = await post('/api/labels', { name: 'Importante' });
  await post('/api/templates', { name: 'Básica', items });
  await post('/api/webhooks', { url: receiverUrl, events: ['quote.created', 'quote.sent'] });
  await post('/api/collaborators', { email: 'carlos@roble.test', name: 'Carlos' });
  await post('/api/automations', {
    name: 'Al crear',
    trigger: 'QUOTE_CREATED',
    conditions: [{ field: 'total', operator: 'gte', value: 0 }],
    actions: [
      { type: 'add_label', labelId },
      { type: 'send_notification', title: 'Nueva {{quote.quoteNumber}}', body: 'De {{client.contactName}}' },
      { type: 'create_reminder', delayMinutes: 1, message: 'Llamar' },
    ],
  });
  await post(`/api/quotes/${quoteId}/share`);
  return { clientId, productId };
}

/** A business with its owner's key, and a function that creates records with that key and returns their ids. */
async function business(url: string, businessName: string, email: string): Promise<{ key: string; post: Post }> {
  const owner = { businessName, name: 'Diana', email, password: 'una frase larga' };
  const registered = await send(url + '/api/auth/register', owner);
  const cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const key = await member(await send(`${url}/api/api-keys`, { name: 'fuzz' }, { Cookie: cookie }), 'key');
  const post: Post = async (path, body) => {
    const answer = await send(url + path, body, { Authorization: `Bearer ${key}` });
    return path.endsWith('/share') ? '' : member(answer, 'id');
  };
  return { key, post };
}

const send = (url: string, body?: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });

async function member(answer: Response, name: string): Promise<string> {
  const body: unknown = await answer.json();
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  if (typeof value !== 'string') throw new Error(`no ${name}: ${answer.status} ${JSON.stringify(body)}`);
  return value;
}

/** Something to be found: a business with a client and a quote. Answers an API key of its owner. */
export async function populate(url: string): Promise<string> {
  const owner = { businessName: 'Acme', name: 'Diana', email: 'diana@acme.test', password: 'una frase larga' };
  const registered = await post(url, '/api/auth/register', owner);
  const as = { Cookie: registered.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const client = await member(
    await post(url, '/api/clients', { contactName: 'Laura', email: 'laura@palma.test' }, as),
    'id',
  );
  const items = [{ productName: 'Silla', unitPrice: 100, quantity: 2 }];
  await post(url, '/api/quotes', { clientId: client, items }, as);
  return member(await post(url, '/api/api-keys', { name: 'fuzz' }, as), 'key');
}

const post = (url: string, path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function member(answer: Response, name: string): Promise<string> {
  const body: unknown = await answer.json();
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  if (typeof value !== 'string') throw new Error(`no ${name}: ${answer.status} ${JSON.stringify(body)}`);
  return value;
}

/** The cookie of the owner of a new business. */
export async function registered(url: string): Promise<string> {
  const res = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Ana Pérez',
      businessName: 'Muebles',
      email: 'ana@negocio.example',
      password: 'una frase bastante larga',
    }),
  });
  if (!res.ok) throw new Error(`the registration answered ${res.status} ${await res.text()}`);
  return res.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}

/** Posts JSON as that owner; returns the response's body. */
export async function post<T>(url: string, cookie: string, body: unknown): Promise<T> {
  const res = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
  if (!res.ok) throw new Error(`${url} answered ${res.status} ${await res.text()}`);
  // Each caller names the members that the API's schema has.
  return (await res.json()) as T;
}

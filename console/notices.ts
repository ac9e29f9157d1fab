/** What a page says after an action, by the code in its address. Texts are never in an address. */
export const NOTICES: Readonly<Record<string, string>> = {
  client_created: 'El cliente se creó.',
  signed_out: 'Cerró la sesión.',
};

/** What a page says after an action, by the code in its address. Texts are never in an address. */
export const NOTICES: Readonly<Record<string, string>> = {
  client_created: 'El cliente se creó.',
  signed_out: 'Cerró la sesión.',
  quote_created: 'La cotización se creó. Revísela y compártala con su cliente.',
  quote_revised: 'La versión nueva se guardó. El cliente aún no la recibe: compártala de nuevo.',
};

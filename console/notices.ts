/** What a page says after an action, by the code in its address. Texts are never in an address. */
export const NOTICES: Readonly<Record<string, string>> = {
  client_created: 'El cliente se creó.',
  signed_out: 'Cerró la sesión.',
  quote_status_changed: 'El estado cambió.',
  quote_validity_changed: 'La vigencia cambió.',
  quote_label_added: 'La etiqueta se agregó.',
  quote_label_removed: 'La etiqueta se quitó.',
  quote_file_added: 'El archivo se adjuntó.',
  quote_file_removed: 'El archivo se quitó.',
  quote_duplicated: 'Esta es la copia: tiene número, enlace y vigencia propios.',
  quote_message_sent: 'El mensaje va en camino a su cliente.',
  quote_shared: 'La cotización se envió por correo.',
  quote_link_rotated: 'El enlace cambió; el anterior ya no abre.',
};

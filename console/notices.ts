/** What a page says after an action, by the code in its address. Texts are never in an address. */
export const NOTICES: Readonly<Record<string, string>> = {
  client_created: 'El cliente se creó.',
  key_revoked: 'La clave ya no vale.',
  person_invited: 'La invitación se envió.',
  person_saved: 'Los cambios se guardaron.',
  quotes_transferred: 'Las cotizaciones cambiaron de manos.',
  password_changed: 'La contraseña se cambió. Las demás sesiones se cerraron.',
  session_ended: 'La sesión se cerró.',
  sessions_ended: 'Todas las sesiones se cerraron.',
  two_factor_disabled: 'La verificación en dos pasos está inactiva.',
  notifications_read: 'Todas quedaron como leídas.',
  email_verified: 'Su correo está confirmado.',
  invitation_accepted: 'Aceptó la invitación. Bienvenido al equipo.',
  password_reset: 'Su contraseña cambió y todas sus sesiones se cerraron. Entre con la nueva.',
  registered: 'Su cuenta está lista.',
  signed_out: 'Cerró la sesión.',
  verification_sent: 'Le enviamos otro enlace. Solo el más reciente sirve.',
  settings_saved: 'Los ajustes se guardaron.',
  logo_saved: 'El logotipo se guardó.',
  logo_saved_other_font:
    'El logotipo se guardó. Su texto usa una fuente que no tenemos y se dibujó con otra: conviértalo en trazos para conservarla.',
};

/** What a page says after an action, by the code in its address. Texts are never in an address. */
export const NOTICES: Readonly<Record<string, string>> = {
  client_created: 'El cliente se creó.',
  email_verified: 'Su correo está confirmado.',
  invitation_accepted: 'Aceptó la invitación. Bienvenido al equipo.',
  password_reset: 'Su contraseña cambió y todas sus sesiones se cerraron. Entre con la nueva.',
  registered: 'Su cuenta está lista.',
  signed_out: 'Cerró la sesión.',
  verification_sent: 'Le enviamos otro enlace. Solo el más reciente sirve.',
};

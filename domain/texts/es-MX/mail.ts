import { fullStopAfter } from '../../full-stop.ts';

/** Texts of mails, in Mexican Spanish. */
export const mail = {
  greeting: (name: string) => `Hola, ${name}:`,
  greetingToAll: 'Hola:',
  versionSuffix: (version: number) => ` (versión ${version})`,
  taxIdOfClient: (label: string) => `${label} del cliente`,
  viewQuote: 'Ver cotización',
  closing: (seller: string) => `¿Tiene alguna duda o desea un cambio? Responda a este correo y ${seller} le atenderá.`,
  share: {
    subject: (label: string, business: string, total: string) => `Cotización ${label} de ${business}: ${total}`,
    preheader: (total: string, until: string) => `Total ${total}. Vigente hasta el ${until}.`,
    withPage:
      'Le enviamos la cotización que preparamos para usted. Puede verla y responderla en línea; también va adjunta en PDF.',
    withoutPage: 'Le enviamos la cotización que preparamos para usted. La encontrará adjunta en PDF.',
    chat: (label: string, business: string) => `Cotización ${label} de ${business}:`,
  },
  expiry: {
    subject: (label: string, business: string, until: string) =>
      `La cotización ${label} de ${business} vence el ${until}`,
    preheader: (total: string) => `Total ${total}. Después de esa fecha, sus precios pueden cambiar.`,
    introduction: (label: string, total: string, until: string) =>
      `Le recordamos que la cotización ${label}, por ${total}, está vigente hasta el ${until}.`,
    answerOnline: ' Puede verla y responderla en línea.',
  },
  answer: {
    preheader: (total: string) => `Total ${total}.`,
    accepted: (label: string, client: string) => ({
      subject: `${client} aceptó la cotización ${label}`,
      introduction: `${client} aceptó y firmó la cotización ${label}. El documento firmado va adjunto en PDF.`,
    }),
    rejected: (label: string, client: string) => ({
      subject: `${client} rechazó la cotización ${label}`,
      introduction: `${client} rechazó la cotización ${label}.`,
    }),
    signed: (label: string, business: string) => ({
      subject: `Su copia firmada de la cotización ${label} de ${business}`,
      introduction: 'Usted aceptó y firmó esta cotización. El documento firmado va adjunto en PDF; consérvelo.',
    }),
    facts: { accepted: 'Aceptada', rejected: 'Rechazada', signer: 'Firmó', reason: 'Motivo' },
    memberClosing: (client: string | null) =>
      client === null
        ? 'El cliente no tiene correo electrónico registrado.'
        : `Si responde a este correo, le escribe a ${client}.`,
    fileSuffix: 'firmada',
  },
  followUp: {
    preheader: (total: string, until: string) => `Total ${total}. Sigue vigente hasta el ${until}.`,
    introduction: (label: string, date: string) =>
      `¿Pudo revisar la cotización ${label} del ${date}? Con gusto aclaramos cualquier duda. Puede verla y responderla en línea.`,
    stop: 'No recibir más recordatorios de esta cotización',
  },
  changeRequest: {
    subject: (client: string, label: string) => `${client} pidió cambios a la cotización ${label}`,
    introduction: (client: string, label: string, version: number) =>
      `${client} pidió cambios a la cotización ${label}, versión ${version}, desde su página:`,
    typed: (signed: string) => `Quien lo escribió puso estos datos, que no están comprobados: ${signed}`,
    closing: (client: string) =>
      `Al responder a este correo, escribe a la dirección que tiene registrada de ${client}.`,
    withoutAddress: 'El cliente no tiene correo registrado; respóndale por otro medio.',
  },
  account: {
    expiry: (life: string) => `El enlace vale una sola vez y durante ${life} desde que se pidió.`,
    token: 'Código, para usarlo desde la API:',
    invitation: {
      subject: (business: string) => `${business} le invita a colaborar`,
      introduction: (business: string) =>
        `${business} le invita a preparar y enviar sus cotizaciones. Elija una contraseña para entrar.`,
      button: 'Aceptar la invitación',
      life: 'siete días',
      closing: 'Si no esperaba esta invitación, ignore este correo: sin su respuesta no se abre ninguna cuenta.',
    },
    email_verification: {
      subject: (business: string) => `Confirme su correo para usar ${business}`,
      introduction: (business: string) =>
        `Alguien registró ${business} con esta dirección. Confírmela para poder enviar cotizaciones.`,
      button: 'Confirmar el correo',
      life: 'un día',
      closing: 'Si no fue usted, ignore este correo: sin su confirmación nadie puede escribir en su nombre.',
    },
    password_reset: {
      subject: (business: string) => `Cambie su contraseña de ${business}`,
      introduction: (business: string) =>
        `Alguien pidió cambiar la contraseña de su cuenta en ${business}${fullStopAfter(business)}`,
      button: 'Cambiar la contraseña',
      life: 'una hora',
      closing: 'Si no fue usted, ignore este correo: su contraseña sigue siendo la misma.',
    },
  },
  security: {
    when: (at: string, ip: string | null) => (ip === null ? `Ocurrió el ${at}.` : `Ocurrió el ${at}, desde ${ip}.`),
    api_key_created: (business: string, key: string) => ({
      subject: `Nueva clave de API de ${business}`,
      introduction: `Se creó una clave de API a su nombre en ${business}: ${key}.`,
      advice: 'Si no fue usted, revóquela y cambie su contraseña.',
    }),
    password_changed: (business: string, _subject: string) => ({
      subject: `Se cambió su contraseña de ${business}`,
      introduction: `Se cambió la contraseña de su cuenta en ${business}. Las demás sesiones se cerraron.`,
      advice: 'Si no fue usted, pida de inmediato un enlace para cambiar la contraseña y avise a su administrador.',
    }),
    two_factor_disabled: (business: string, _subject: string) => ({
      subject: `Se desactivó la verificación en dos pasos en ${business}`,
      introduction: `Su cuenta en ${business} ya no pide el código de verificación al entrar.`,
      advice: 'Si no fue usted, cambie su contraseña y vuelva a activarla.',
    }),
    recovery_code_used: (business: string, left: string) => ({
      subject: `Se usó un código de recuperación en ${business}`,
      introduction: `Alguien entró a su cuenta en ${business} con un código de recuperación. Le quedan ${left}.`,
      advice: 'Si no fue usted, cambie su contraseña y renueve los códigos.',
    }),
    owner_added: (business: string, owner: string) => ({
      subject: `${owner} ahora es dueño de ${business}`,
      introduction: `${owner} puede administrar todo en ${business}: cotizaciones, ajustes, personas y claves.`,
      advice: 'Si no lo esperaba, revise las personas del negocio.',
    }),
  },
};

export type MailTexts = typeof mail;

import { type Html, html } from '../../html.ts';

/** Texts of the client's page, in Mexican Spanish. */
export const page = {
  language: 'Idioma',
  title: (label: string, business: string) => `Cotización ${label} de ${business}`,
  skipToAnswer: 'Ir a la respuesta',
  skipToQuote: 'Ir a la cotización',
  lead: (business: Html, client: Html) => html`${business} la preparó para ${client}`,
  expiresToday: 'Vence hoy',
  expiresTomorrow: 'Vence mañana',
  daysLeft: (days: number) => `Quedan ${days} días`,
  until: (date: Html) => html`vigente hasta el ${date}`,
  download: 'Descargar PDF',
  downloadSigned: 'Descargar PDF firmado',
  accept: 'Aceptar',
  reject: 'Rechazar',
  respond: 'Responder',
  questions: '¿Dudas?',
  contact: (seller: string, email: Html) => html`Escriba a ${seller} (${email})`,
  orCall: (phone: Html) => html` o llame al ${phone}`,
  detail: 'Detalle',
  caption: (currency: string) => `Conceptos de la cotización, importes en ${currency}`,
  copy: 'Copiar',
  copyWhat: (account: string) => ` la ${account}`,
  copied: 'Copiada',
  accountCopied: 'Se copió el número de cuenta.',
  selection: {
    hint: 'Elija lo que quiere incluir: el total cambia con su selección.',
    update: 'Actualizar el total',
    failed: 'No pudimos calcular el total y su selección quedó como estaba. Revise su conexión e inténtelo de nuevo.',
    refused: {
      title: 'Esa selección no se puede aceptar',
      text: 'Se conserva la anterior. Elija otras opciones o escriba a quien le preparó la cotización.',
    },
  },
  form: {
    title: 'Su respuesta',
    name: 'Nombre completo',
    email: 'Correo electrónico',
    emailHint: 'Queda en la constancia de la firma.',
    typedHint: 'Su nombre completo, como lo escribió arriba, vale como firma.',
    type: 'Escribir',
    draw: 'Dibujar',
    canvas: 'Espacio para dibujar su firma con el dedo o el ratón',
    clear: 'Borrar',
    clearWhat: ' la firma dibujada',
    accept: 'Aceptar cotización',
    reject: 'Rechazar la cotización',
    reason: 'Motivo',
    optional: '(opcional)',
    confirmRejection: 'Confirmar el rechazo',
    sending: 'Enviando…',
    notConfirmed:
      'No pudimos confirmar su respuesta. Revise su conexión e inténtelo de nuevo: lo que escribió sigue aquí y su ' +
      'respuesta se registra una sola vez.',
    checkThese: 'Revise lo siguiente; su respuesta todavía no se registró.',
    noSignature: 'Dibuje su firma o elija escribirla.',
    emailBeyondAscii: 'Antes de la @ solo se admiten letras sin acento, como en jose@ejemplo.com.',
    errors: {
      signerName: 'Escriba su nombre completo.',
      signerEmail: 'Escriba un correo electrónico válido, como nombre@ejemplo.com.',
      signature: 'No pudimos leer la firma dibujada. Dibújela de nuevo o elija escribirla.',
      consent: 'Marque la casilla para aceptar.',
      reason: 'El motivo debe tener como máximo 1000 caracteres.',
      changeMessage: 'Escriba qué desea cambiar, con 2000 caracteres como máximo.',
      changeName: 'El nombre debe tener como máximo 200 caracteres.',
      changeEmail: 'Escriba un correo electrónico válido, como nombre@ejemplo.com, o deje el campo vacío.',
    },
  },
  changes: {
    title: 'Pedir cambios',
    message: '¿Qué desea cambiar?',
    hint: 'La cotización sigue vigente; si la cambian, recibirá una versión nueva.',
    name: 'Su nombre',
    email: 'Su correo electrónico',
    emailHint: 'Solo se muestra al vendedor.',
    send: 'Enviar al vendedor',
  },
  stop: {
    title: 'No recibir más recordatorios',
    text: (label: string, business: string) =>
      `${business} ya no le enviará recordatorios automáticos de la cotización ${label}. La cotización sigue como está.`,
    button: 'Dejar de recibir recordatorios',
    done: 'Ya no recibirá recordatorios',
    doneText: (business: string) => `Los mensajes que le escriba una persona de ${business} le seguirán llegando.`,
    back: 'Ver la cotización',
  },
  notices: {
    versionChanged: {
      title: 'La versión de la cotización cambió',
      text: (link: Html) =>
        html`Mientras la revisaba llegó una versión nueva; no se registró ninguna respuesta. ${link} y responda de
        nuevo.`,
      link: (version: number) => `Revise la versión ${version}`,
    },
    alreadyAnswered: {
      title: 'La cotización ya fue respondida',
      text: 'Su nueva respuesta no se registró: vale la primera.',
    },
    selectionChanged: {
      title: 'El total cambió con su selección',
      text: 'Todavía no se registró ninguna respuesta. Revise el total y acepte de nuevo.',
    },
    lapsed: {
      title: 'La cotización venció',
      text: 'Su respuesta llegó después del vencimiento y no se registró.',
    },
    unavailable: {
      title: 'No pudimos registrar su respuesta',
      text: 'El servicio no está disponible en este momento. Sus datos siguen aquí: inténtelo de nuevo en unos minutos.',
    },
  },
  states: {
    changesRequested: (when: Html) => html`Pidió cambios el ${when}`,
    changesSent: 'El vendedor recibió su mensaje. Mientras tanto puede responder a la cotización como está.',
    accepted: 'Cotización aceptada',
    signedBy: (name: Html, when: Html) =>
      html`Firmada por ${name} el ${when}. Guarde el documento firmado; no hace falta hacer nada más.`,
    acceptedAt: (when: Html) => html`Se aceptó el ${when}. `,
    nothingLeft: 'No hace falta hacer nada más.',
    rejected: 'Cotización rechazada',
    rejectedAt: (when: Html) => html`Se rechazó el ${when}. `,
    reason: (reason: Html) => html`Motivo: «${reason}» `,
    changedYourMind: '¿Cambió de opinión? ',
    expired: (when: Html) => html`Esta cotización venció el ${when}`,
    expiredText: 'Ya no se puede aceptar en línea. ¿Le sigue interesando? ',
    closed: 'Esta cotización está cerrada',
    closedText: 'Ya no se puede responder en línea. ',
  },
  messages: {
    notFound: {
      title: 'Cotización no encontrada',
      paragraphs: [
        'El enlace no es correcto o ya no está activo. Puede que la cotización se haya enviado de nuevo: use el enlace del correo más reciente.',
        'Si lo copió a mano, revise que esté completo. Si sigue sin abrir, responda al correo en el que la recibió.',
      ],
    },
    busy: {
      title: 'Demasiadas solicitudes',
      paragraphs: ['Espere un momento y vuelva a cargar la página.'],
    },
    foreignOrigin: {
      title: 'Origen no permitido',
      paragraphs: [
        'La respuesta no llegó desde esta página y no se registró. Abra de nuevo el enlace del correo y responda ahí.',
      ],
    },
    unavailable: {
      title: 'Servicio no disponible',
      paragraphs: [
        'No pudimos mostrar la cotización. Inténtelo de nuevo en unos minutos; el enlace sigue siendo válido.',
      ],
    },
    tooLarge: { title: 'Solicitud demasiado grande', paragraphs: [] as readonly string[] },
    invalid: { title: 'Datos inválidos', paragraphs: [] as readonly string[] },
  },
};

export type PageTexts = typeof page;

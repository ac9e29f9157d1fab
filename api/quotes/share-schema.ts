import { type Static, Type } from 'typebox';
import { MAX_SHARE_MESSAGE, MAX_SHARE_RECIPIENTS } from '../../domain/share.ts';
import { named, namedInput, email, nullable, oneOf, optionalText } from '../schema.ts';

const addresses = (description: string) =>
  Type.Optional(Type.Array(email(), { maxItems: MAX_SHARE_RECIPIENTS, description }));

const content = {
  to: addresses(
    'destinatarios, que se ven entre sí; ausente o vacío: el correo del cliente. Un correo repetido, también en cc, ' +
      'cuenta una vez. En el plan FREE, solo el del cliente y los de sus contactos',
  ),
  cc: addresses('con copia; las mismas reglas'),
  message: optionalText(MAX_SHARE_MESSAGE, {
    description: 'texto sin formato que va antes de la cotización',
    examples: ['Incluye el descuento que acordamos.'],
  }),
};

export const ShareQuote = namedInput('ShareInput', {
  ...content,
  channel: Type.Optional(
    oneOf('ShareChannel', ['email', 'link'], {
      description: 'email (si falta): la envía por correo. link (PRO): no envía nada y contesta el enlace',
      examples: ['email'],
    }),
  ),
});
export type ShareQuote = Static<typeof ShareQuote>;

/** What a share by mail would send. */
export const PreviewShare = namedInput('SharePreviewInput', content);
export type PreviewShare = Static<typeof PreviewShare>;

const Mailbox = named('Mailbox', {
  name: Type.String({
    description: 'vacío si el correo no es del cliente ni de sus contactos',
    examples: ['Ana Torres'],
  }),
  address: Type.String({ examples: ['ana@example.com'] }),
});

export const SharePreview = named('SharePreview', {
  fromName: Type.String({ examples: ['Muebles Roble'] }),
  replyTo: Type.String({ description: 'a quien llegan las respuestas', examples: ['diana@example.com'] }),
  to: Type.Array(Mailbox),
  cc: Type.Array(Mailbox),
  subject: Type.String({ examples: ['Cotización COT-12 de Muebles Roble: $1,160.00 MXN'] }),
  text: Type.String({ description: 'el correo como texto; la parte HTML dice lo mismo' }),
  attachments: Type.Array(Type.String({ examples: ['COT-12.pdf'] })),
});

export const SharedQuote = named('ShareResult', {
  success: Type.Literal(true),
  rejected: Type.Optional(
    Type.Array(Type.String(), {
      description: 'correos que el servidor no aceptó; ausente si la solicitud no llevó contenido',
      examples: [['compras@example.com']],
    }),
  ),
  url: Type.Optional(Type.String({ format: 'uri', description: 'de la página del cliente; solo con channel link' })),
  whatsappUrl: Type.Optional(
    nullable(
      Type.String({
        format: 'uri',
        description:
          'abre la conversación con el teléfono del cliente, con el texto y el enlace; nulo si no tiene un teléfono de 8 ' +
          'a 15 cifras. Solo con channel link',
        examples: ['https://wa.me/525512345678?text=Cotizaci%C3%B3n%20COT-12'],
      }),
    ),
  ),
});

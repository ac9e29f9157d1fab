/** What PRO adds, by feature of domain/plans.ts: shown where a FREE business meets its limit. */
export const BENEFITS: Readonly<Record<string, string>> = {
  webhooks: 'Con PRO sus sistemas reciben un aviso firmado en cuanto una cotización se crea, se envía o se responde.',
  pipeline: 'Con PRO ve todas las cotizaciones abiertas en un tablero, por etapa y por vendedor.',
  dashboard: 'Con PRO ve cuánto cotiza, cuánto gana y qué clientes y productos venden más.',
  collaborators: 'Con PRO invita a su equipo: cada persona entra con su propia cuenta y ve sus cotizaciones.',
  quote_versioning: 'Con PRO revisa una cotización enviada y conserva cada versión.',
  quote_duplication: 'Con PRO parte de una cotización anterior en vez de empezar de cero.',
  multi_currency: 'Con PRO cotiza en otras monedas.',
  audit_log_ui: 'Con PRO consulta quién cambió qué, y cuándo.',
  pdf_branding: 'Con PRO sus documentos llevan su logotipo y sus colores.',
  automations: 'Con PRO el seguimiento ocurre solo: recordatorios, avisos y correos cuando una cotización cambia.',
  templates: 'Con PRO guarda sus cotizaciones habituales como plantillas.',
  connector: 'Con PRO conecta sus cotizaciones con las aplicaciones que ya usa.',
  share_link: 'Con PRO su cliente abre la cotización en una página, la firma y la acepta en línea.',
  share_with_anyone: 'Con PRO envía una cotización a más personas que su cliente.',
};

export const FREE_KEEPS =
  'En FREE puede seguir creando cotizaciones, descargarlas en PDF y enviarlas por correo. Nada de lo que ya guardó se pierde.';

import type { ServiceError } from '../domain/errors.ts';
import { type Html, html } from '../domain/html.ts';
import { actionForm } from './forms/form.ts';
import type { Visitor } from './navigation.ts';
import { BENEFITS, FREE_KEEPS } from './plan-benefits.ts';

interface Refused {
  /** Undefined for an error that is a fault of the service. */
  readonly refusal: ServiceError | undefined;
  readonly caller: Visitor | undefined;
  readonly path: string;
  readonly requestId: string;
}

interface Message {
  readonly title: string;
  readonly paragraphs: readonly (string | Html)[];
  readonly actions?: readonly Html[];
}

/** A refusal as a page: what happened, why, and what can be done now. */
export function refusalPage(refused: Refused): { readonly title: string; readonly body: Html } {
  const { title, paragraphs, actions = [home(refused.caller)] } = messageOf(refused);
  const body = html`<div class="message">
    <h1>${title}</h1>
    ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
    <div class="actions">${actions}</div>
  </div>`;
  return { title, body };
}

const home = (caller: Visitor | undefined): Html =>
  html`<a class="button button-plain" href="${caller ? '/app' : '/login'}"
    >${caller ? 'Ir al inicio' : 'Iniciar sesión'}</a
  >`;

function messageOf(refused: Refused): Message {
  const { refusal, path, requestId } = refused;
  switch (refusal?.kind) {
    case 'forbidden':
      return refusal.reason === 'origin_not_allowed' ? FOREIGN_FORM : OWNERS_ONLY;
    case 'plan_required':
      return planMessage(refusal);
    case 'email_unverified':
      return UNVERIFIED;
    case 'not_found':
      return {
        title: refusal.reason === 'route_not_found' ? 'Esta página no existe' : refusal.message,
        paragraphs: ['Quizá se eliminó, o el enlace está incompleto.'],
      };
    case 'rate_limited':
      return {
        title: 'Demasiadas solicitudes seguidas',
        paragraphs: [`Espere ${waitOf(refusal.retryAfterSeconds)} y vuelva a intentarlo. No se perdió nada.`],
      };
    case 'too_large':
      return {
        title: 'Lo que envió es demasiado grande',
        paragraphs: ['Divídalo en partes más pequeñas e inténtelo otra vez.'],
      };
    case 'invalid':
    case 'conflict':
    case 'invalid_transition':
    case 'gone':
    case 'version_mismatch':
    case 'unprocessable':
      return { title: 'No se pudo completar', paragraphs: [refusal.message], actions: [again(path)] };
    case undefined:
      return {
        title: 'Algo salió mal de nuestro lado',
        paragraphs: [
          'Ya quedó registrado. Inténtelo de nuevo en unos minutos.',
          html`Código para soporte: <code>${requestId}</code>`,
        ],
      };
    default:
      return {
        title: 'El servicio no está disponible',
        paragraphs: ['Inténtelo de nuevo en unos segundos.'],
        actions: [again(path)],
      };
  }
}

const again = (path: string): Html => html`<a class="button button-plain" href="${path}">Volver</a>`;

const FOREIGN_FORM: Message = {
  title: 'El formulario no vino de esta página',
  paragraphs: ['Por seguridad solo se aceptan formularios de esta aplicación. Abra la página y envíelo desde ahí.'],
};

const OWNERS_ONLY: Message = {
  title: 'Su cuenta no tiene acceso a esta página',
  paragraphs: [
    'Solo los dueños del negocio pueden abrirla. Si la necesita, pida a un dueño que la revise o que cambie su rol.',
  ],
};

const UNVERIFIED: Message = {
  title: 'Confirme su correo electrónico',
  paragraphs: [
    'Antes de enviar correos o dar acceso a otros debe confirmar su dirección con el enlace que le enviamos al registrarse.',
  ],
  actions: [actionForm({ action: '/verify-email/resend', submit: 'Enviar el enlace otra vez', style: 'button-main' })],
};

function planMessage({ reason }: ServiceError): Message {
  const benefit = BENEFITS[reason.replace(/_not_in_plan$/, '')];
  return {
    title: 'Disponible en el plan PRO',
    paragraphs: [benefit ?? 'Su negocio está en el plan FREE, que no incluye esta función.', FREE_KEEPS],
  };
}

function waitOf(seconds = 60): string {
  if (seconds < 90) return `${seconds} segundos`;
  return `${Math.ceil(seconds / 60)} minutos`;
}

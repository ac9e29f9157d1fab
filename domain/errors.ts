import type { WorkflowExecutionRef } from './workflow-execution-ref.ts';
import { type Limited, limitSentence } from './tenant-limits.ts';

/**
 * The refusals of the service, with the sentence that the caller reads. The domain does not know HTTP: one table in
 * `api/middleware/errors.ts` gives each kind its status.
 */

/** The kind of refusal; also the stable `code` of the response. */
export type Refusal =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'plan_required'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'version_mismatch'
  | 'invalid_transition'
  | 'gone'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'request_in_progress'
  | 'rate_limited'
  | 'mail_failed'
  | 'unreachable'
  | 'unavailable'
  | 'share_pending';

/** One invalid member: its path ("items.0.quantity") and the reason. */
export interface Detail {
  readonly path: string;
  readonly message: string;
}

interface RefusalOptions extends ErrorOptions {
  readonly details?: readonly Detail[];
  readonly retryAfterSeconds?: number;
  readonly run?: WorkflowExecutionRef | undefined;
}

/** A refusal that the caller may read. The message of any other error is never shown to callers. */
export class ServiceError extends Error {
  readonly kind: Refusal;
  readonly details: readonly Detail[] | undefined;
  /** Seconds after which the caller may retry. */
  readonly retryAfterSeconds: number | undefined;
  /** The workflow execution that refused, or that still runs. */
  readonly run: WorkflowExecutionRef | undefined;

  constructor(kind: Refusal, message: string, options: RefusalOptions = {}) {
    super(message, options);
    this.name = 'ServiceError';
    this.kind = kind;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.run = options.run;
  }
}

/** The most details in one response. */
const MAX_DETAILS = 20;

/** A schema error. `error` is the first detail, or a sentence of its own where the API defines one. */
export function invalidInput(details: readonly Detail[], sentence?: string): ServiceError {
  const [first] = details;
  const message = sentence ?? firstOf(first);
  return new ServiceError('invalid', message, { details: details.slice(0, MAX_DETAILS) });
}

const firstOf = (first: Detail | undefined): string => {
  if (!first) return 'Datos inválidos';
  return first.path ? `${first.path}: ${first.message}` : first.message;
};

export const invalid = (message: string) => new ServiceError('invalid', message);
export const invalidJson = () => new ServiceError('invalid', 'JSON inválido');
export const unauthenticated = () => new ServiceError('unauthenticated', 'No autorizado');
export const forbidden = () => new ServiceError('forbidden', 'Sin permisos');
export const foreignOrigin = () => new ServiceError('forbidden', 'Origen no permitido');
export const planRequired = (message: string, details?: readonly Detail[]) =>
  new ServiceError('plan_required', message, details && { details });
export const routeNotFound = () => new ServiceError('not_found', 'Ruta no encontrada');
export const methodNotAllowed = () => new ServiceError('method_not_allowed', 'Método no permitido');
export const tooLarge = () => new ServiceError('too_large', 'Solicitud demasiado grande');
export const unsupportedMediaType = () => new ServiceError('unsupported_media_type', 'Tipo de contenido no admitido');
export const tooManyRequests = (retryAfterSeconds: number) =>
  new ServiceError('rate_limited', 'Demasiadas solicitudes', { retryAfterSeconds });
export const keyReused = () => new ServiceError('unprocessable', 'Idempotency-Key usada con otro contenido');
export const requestInProgress = () =>
  new ServiceError('request_in_progress', 'Solicitud en curso', { retryAfterSeconds: 2 });
export const unavailable = (cause?: unknown, run?: WorkflowExecutionRef) =>
  new ServiceError('unavailable', 'Servicio no disponible, intente más tarde', { cause, run, retryAfterSeconds: 5 });

export const quoteNotFound = (run?: WorkflowExecutionRef) =>
  new ServiceError('not_found', 'Cotización no encontrada', { run });
export const clientNotFound = () => new ServiceError('not_found', 'Cliente no encontrado');
export const productNotFound = () => new ServiceError('not_found', 'Producto no encontrado');
export const businessNotFound = () => new ServiceError('not_found', 'Negocio no encontrado');
export const templateNotFound = () => new ServiceError('not_found', 'Plantilla no encontrada');
export const automationNotFound = () => new ServiceError('not_found', 'Automatización no encontrada');
export const webhookNotFound = () => new ServiceError('not_found', 'Webhook no encontrado');
export const deliveryNotFound = () => new ServiceError('not_found', 'Entrega no encontrada');
export const notificationNotFound = () => new ServiceError('not_found', 'No encontrada');
export const labelNotFound = () => new ServiceError('not_found', 'Etiqueta no encontrada');
export const apiKeyNotFound = () => new ServiceError('not_found', 'Clave no encontrada');
export const collaboratorNotFound = () => new ServiceError('not_found', 'Colaborador no encontrado');
export const labelNameTaken = () => new ServiceError('conflict', 'Ya existe una etiqueta con ese nombre');
export const limitReached = (what: Limited) => new ServiceError('conflict', limitSentence(what));
export const lastOwner = () => new ServiceError('conflict', 'El negocio debe conservar al menos un dueño activo');
/**
 * A one-time link that is unknown, used, expired or of a deactivated user: one message for all, so that it tells
 * nothing about accounts.
 */
export const linkNotValid = () => new ServiceError('invalid', 'El enlace no es válido o ya venció');
/** Number formats that differ can give the same text. */
export const numberTaken = () =>
  new ServiceError('conflict', 'El número de la cotización ya existe; cambie el formato de número');
export const emailTaken = () => new ServiceError('conflict', 'El correo ya está registrado');

export const noFile = () => invalid('No se proporcionó un archivo');
export const fileTypeNotAllowed = (cause?: unknown) =>
  new ServiceError('invalid', 'Tipo de archivo no permitido. Use PNG, JPG, WebP o SVG.', { cause });
/** A logo of a permitted type that cannot be drawn faithfully; the sentence says why. */
export const logoRefused = (reason: string, cause?: unknown) =>
  new ServiceError('invalid', reason, { cause, details: [{ path: 'logo', message: reason }] });
export const logoTooLarge = () => invalid('El archivo excede el tamaño máximo de 2MB');

/** A file that cannot be imported as a whole; the sentence says why. */
export const importRefused = (reason: string, cause?: unknown) =>
  new ServiceError('invalid', reason, { cause, details: [{ path: 'file', message: reason }] });
export const exportTooLarge = (count: number, limit: number) =>
  new ServiceError('invalid', `La exportación tiene ${count} cotizaciones y un XLSX admite ${limit}: filtre o use CSV`);
export const importRunning = () => new ServiceError('conflict', 'Ya hay una importación en curso');
export const importNotFound = () => new ServiceError('not_found', 'Importación no encontrada');
export const attachmentNotFound = () => new ServiceError('not_found', 'Archivo no encontrado');
export const attachmentTypeNotAllowed = (cause?: unknown) =>
  new ServiceError('invalid', 'Tipo de archivo no permitido. Use PDF, PNG o JPG.', { cause });
/** An attachment of a permitted type that is refused; the sentence says why. */
export const attachmentRefused = (reason: string, cause?: unknown) =>
  new ServiceError('invalid', reason, { cause, details: [{ path: 'file', message: reason }] });
export const tooManyAttachments = () => new ServiceError('conflict', 'Una cotización admite a lo más 5 archivos');
export const attachmentsTooLarge = () =>
  new ServiceError('conflict', 'Los archivos de una cotización suman a lo más 10 MB');
export const attachmentQuotaReached = () =>
  new ServiceError('conflict', 'Se alcanzó el espacio para archivos del negocio');
/** For a sent quote that its client sees on the page. */
export const attachmentsFixed = () =>
  new ServiceError('invalid_transition', 'Los archivos de una cotización enviada solo cambian al revisarla');

export const invalidTransition = (from: string, to: string) =>
  new ServiceError('invalid_transition', `No se puede cambiar de ${from} a ${to}`);
export const clientHasNoEmail = (run?: WorkflowExecutionRef) =>
  new ServiceError('invalid', 'El cliente no tiene correo electrónico', { run });
export const quoteExpired = () => new ServiceError('invalid', 'La cotización está vencida');

export const alreadyAnswered = () => new ServiceError('conflict', 'La cotización ya fue respondida');
export const versionChanged = (run?: WorkflowExecutionRef) =>
  new ServiceError('conflict', 'La versión de la cotización cambió', { run });
/** The record has another entity tag than If-Match names. */
export const versionMismatch = () => new ServiceError('version_mismatch', 'La versión cambió');
/** On the page: the client accepts other lines than those whose amounts were shown. */
export const selectionChanged = () => new ServiceError('conflict', 'El total cambió con la selección');
/** For a client who decides too late; a member who shares an expired quote reads `quoteExpired`. */
export const quoteLapsed = () => new ServiceError('gone', 'La cotización venció');
export const signatureNotFound = () => new ServiceError('not_found', 'Firma no encontrada');

export const deliveryEmptied = () => new ServiceError('gone', 'El contenido del envío ya no se conserva');
export const webhookInactive = () => new ServiceError('conflict', 'El webhook está inactivo');
/** The webhook's endpoint gave no response; the delivery's error code says why. */
export const unreachable = () => new ServiceError('unreachable', 'No se pudo conectar con el endpoint');

export const mailFailed = (run?: WorkflowExecutionRef) =>
  new ServiceError('mail_failed', 'Error al enviar el correo', { run });
/** The share was started and may still finish; a new call joins it. */
export const sharePending = (cause?: unknown, run?: WorkflowExecutionRef) =>
  new ServiceError('share_pending', 'Servicio no disponible, intente más tarde', { cause, run, retryAfterSeconds: 5 });

import { kindOf, type Reason, type ReasonOf, type Refusal } from './refusal-reasons.ts';
import { type Limited, limitSentence } from './tenant-limits.ts';
import type { WorkflowExecutionRef } from './workflow-execution-ref.ts';

/**
 * The refusals of the service, each with its reason and the sentence that the caller reads. The domain does not know
 * HTTP: one table in `api/middleware/errors.ts` gives each kind its status.
 */

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
  readonly reason: Reason;
  readonly details: readonly Detail[] | undefined;
  /** Seconds after which the caller may retry. */
  readonly retryAfterSeconds: number | undefined;
  /** The workflow execution that refused, or that still runs. */
  readonly run: WorkflowExecutionRef | undefined;

  constructor(reason: Reason, message: string, options: RefusalOptions = {}) {
    super(message, options);
    this.name = 'ServiceError';
    this.kind = kindOf(reason);
    this.reason = reason;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.run = options.run;
  }
}

/** The most details in one response. */
const MAX_DETAILS = 20;

/** Values that break a rule of the request alone. `error` is the first detail, or a sentence that the API defines. */
export const invalidInput = (details: readonly Detail[], sentence?: string) =>
  refusedValues('invalid_input', details, sentence);

/** A refusal of values; `details` names each. */
export function refusedValues(
  reason: ReasonOf<'invalid'>,
  details: readonly Detail[],
  sentence?: string,
): ServiceError {
  return new ServiceError(reason, sentence ?? firstOf(details[0]), { details: details.slice(0, MAX_DETAILS) });
}

const firstOf = (first: Detail | undefined): string => {
  if (!first) return 'Datos inválidos';
  return first.path ? `${first.path}: ${first.message}` : first.message;
};

/** An expiry that is not in the future, or beyond the longest validity. */
export const expiryNotAllowed = (detail: Detail) => refusedValues('expiry_not_allowed', [detail]);
/** Selected lines that the quote does not offer, or does not offer together. */
export const selectionNotAllowed = (details: readonly Detail[]) => refusedValues('selection_not_allowed', details);
/** Codes that are not in the tax table of the business, or not allowed together. */
export const taxCodesNotAllowed = (details: readonly Detail[]) => refusedValues('tax_codes_not_allowed', details);
export const totalOutOfRange = (message: string) => refusedValues('total_out_of_range', [{ path: 'items', message }]);
export const depositNotAllowed = (message: string) =>
  refusedValues('deposit_not_allowed', [{ path: 'deposit.value', message }]);
export const nextNumberTooLow = (lastNumber: number) =>
  refusedValues('next_number_too_low', [
    { path: 'nextQuoteNumber', message: `debe ser mayor que el último número, ${lastNumber}` },
  ]);
/** Addresses that the service may not call, or that do not resolve. */
export const urlNotCallable = (details: readonly Detail[]) => refusedValues('url_not_callable', details);
export const signatureImageInvalid = (message: string) =>
  refusedValues('signature_image_invalid', [{ path: 'signature.data', message }]);
export const forbidden = () => new ServiceError('permission_missing', 'Sin permisos');
/** The key's scope does not permit the call. */
export const scopeRequired = () => new ServiceError('scope_required', 'Sin permisos');
/** The business has not confirmed its e-mail address, so it must not reach other people. */
export const emailUnverified = () =>
  new ServiceError('email_unverified', 'Confirme su correo electrónico para continuar');
/** Operators create the businesses of this installation. */
export const registrationClosed = () => new ServiceError('registration_closed', 'El registro está cerrado');
/** The password was right, and the account asks for a code as well. */
export const twoFactorRequired = () => new ServiceError('two_factor_required', 'Se requiere el código de verificación');
export const twoFactorEnabled = () =>
  new ServiceError('two_factor_already_enabled', 'La verificación en dos pasos ya está activa');
export const twoFactorNotEnabled = () =>
  new ServiceError('two_factor_not_enabled', 'La verificación en dos pasos no está activa');
export const twoFactorNotSetUp = () =>
  new ServiceError('two_factor_not_set_up', 'Prepare primero la verificación en dos pasos');
export const foreignOrigin = () => new ServiceError('origin_not_allowed', 'Origen no permitido');
export const planRequired = (reason: ReasonOf<'plan_required'>, message: string, details?: readonly Detail[]) =>
  new ServiceError(reason, message, details && { details });
export const routeNotFound = () => new ServiceError('route_not_found', 'Ruta no encontrada');
export const methodNotAllowed = () => new ServiceError('method_not_allowed', 'Método no permitido');
export const keyReused = () => new ServiceError('idempotency_key_reused', 'Idempotency-Key usada con otro contenido');
const inProgress = (reason: ReasonOf<'request_in_progress'>) => () =>
  new ServiceError(reason, 'Solicitud en curso', { retryAfterSeconds: 2 });
/** An earlier request with the same Idempotency-Key still runs. */
export const requestInProgress = inProgress('idempotent_request_in_progress');
/** The quote is being shared with other recipients or another message. */
export const otherShareInProgress = inProgress('other_share_in_progress');
export const unavailable = (cause?: unknown, run?: WorkflowExecutionRef) =>
  new ServiceError('service_unavailable', 'Servicio no disponible, intente más tarde', {
    cause,
    run,
    retryAfterSeconds: 5,
  });
/** The effect of the request may still happen. */
export const deadlineExceeded = (cause?: unknown) =>
  new ServiceError('deadline_exceeded', 'Servicio no disponible, intente más tarde', { cause, retryAfterSeconds: 5 });

export const quoteNotFound = (run?: WorkflowExecutionRef) =>
  new ServiceError('quote_not_found', 'Cotización no encontrada', { run });
export const clientNotFound = () => new ServiceError('client_not_found', 'Cliente no encontrado');
export const productNotFound = () => new ServiceError('product_not_found', 'Producto no encontrado');
export const businessNotFound = () => new ServiceError('business_not_found', 'Negocio no encontrado');
/** The business has no logo. */
export const logoNotFound = () => new ServiceError('logo_not_found', 'Logotipo no encontrado');
export const templateNotFound = () => new ServiceError('template_not_found', 'Plantilla no encontrada');
export const automationNotFound = () => new ServiceError('automation_not_found', 'Automatización no encontrada');
export const webhookNotFound = () => new ServiceError('webhook_not_found', 'Webhook no encontrado');
export const deliveryNotFound = () => new ServiceError('delivery_not_found', 'Entrega no encontrada');
export const notificationNotFound = () => new ServiceError('notification_not_found', 'No encontrada');
export const labelNotFound = () => new ServiceError('label_not_found', 'Etiqueta no encontrada');
export const apiKeyNotFound = () => new ServiceError('api_key_not_found', 'Clave no encontrada');
export const sessionNotFound = () => new ServiceError('session_not_found', 'Sesión no encontrada');
export const collaboratorNotFound = () => new ServiceError('collaborator_not_found', 'Colaborador no encontrado');
export const labelNameTaken = () => new ServiceError('label_name_taken', 'Ya existe una etiqueta con ese nombre');
export const limitReached = (what: Limited) => new ServiceError(LIMIT_REASONS[what], limitSentence(what));
const LIMIT_REASONS: Readonly<Record<Limited, ReasonOf<'conflict'>>> = {
  webhooks: 'webhook_limit_reached',
  automations: 'automation_limit_reached',
  apiKeys: 'api_key_limit_reached',
};
export const lastOwner = () => new ServiceError('last_owner', 'El negocio debe conservar al menos un dueño activo');
/**
 * A one-time link that is unknown, used, expired or of a deactivated user: one message for all, so that it tells
 * nothing about accounts.
 */
export const linkNotValid = () => new ServiceError('link_not_valid', 'El enlace no es válido o ya venció');
/** Number formats that differ can give the same text. */
export const numberTaken = () =>
  new ServiceError('quote_number_taken', 'El número de la cotización ya existe; cambie el formato de número');
export const emailTaken = () => new ServiceError('email_taken', 'El correo ya está registrado');

const NO_FILE = 'No se proporcionó un archivo';
export const noFile = () => new ServiceError('file_missing', NO_FILE);
/** A form whose file has another field name than the expected one. */
export const fileFieldWrong = (given: string, expected: string) =>
  new ServiceError('file_field_wrong', NO_FILE, {
    details: [{ path: given, message: `el campo del archivo se llama «${expected}»` }],
  });
export const logoTypeNotAllowed = (cause?: unknown) =>
  new ServiceError('logo_type_not_allowed', 'Tipo de archivo no permitido. Use PNG, JPG, WebP o SVG.', { cause });
/** A logo of a permitted type that cannot be drawn faithfully; the sentence says why. */
export const logoRefused = (reason: string, cause?: unknown) =>
  new ServiceError('logo_not_usable', reason, { cause, details: [{ path: 'logo', message: reason }] });
export const logoTooLarge = () => new ServiceError('logo_too_large', 'El archivo excede el tamaño máximo de 2MB');

/** A file that cannot be imported as a whole; the sentence says why. */
export const importRefused = (reason: string, cause?: unknown) =>
  new ServiceError('import_file_not_usable', reason, { cause, details: [{ path: 'file', message: reason }] });
export const exportTooLarge = (count: number, limit: number) =>
  new ServiceError(
    'export_too_large',
    `La exportación tiene ${count} cotizaciones y un XLSX admite ${limit}: filtre o use CSV`,
  );
export const importRunning = () => new ServiceError('import_running', 'Ya hay una importación en curso');
export const importNotFound = () => new ServiceError('import_not_found', 'Importación no encontrada');
export const attachmentNotFound = () => new ServiceError('attachment_not_found', 'Archivo no encontrado');
export const attachmentTypeNotAllowed = (cause?: unknown) =>
  new ServiceError('attachment_type_not_allowed', 'Tipo de archivo no permitido. Use PDF, PNG o JPG.', { cause });
/** An attachment of a permitted type that is refused; the sentence says why. */
export const attachmentRefused = (reason: string, cause?: unknown) =>
  new ServiceError('attachment_not_usable', reason, { cause, details: [{ path: 'file', message: reason }] });
export const tooManyAttachments = () =>
  new ServiceError('attachment_limit_reached', 'Una cotización admite a lo más 5 archivos');
export const attachmentsTooLarge = () =>
  new ServiceError('attachments_too_large', 'Los archivos de una cotización suman a lo más 10 MB');
export const attachmentQuotaReached = () =>
  new ServiceError('attachment_quota_reached', 'Se alcanzó el espacio para archivos del negocio');
/** For a sent quote that its client sees on the page. */
export const attachmentsFixed = () =>
  new ServiceError('attachments_of_sent_quote', 'Los archivos de una cotización enviada solo cambian al revisarla');

export const invalidTransition = (from: string, to: string) =>
  new ServiceError('status_change_not_allowed', transitionSentence(from, to));
const transitionSentence = (from: string, to: string): string => `No se puede cambiar de ${from} a ${to}`;
/** A revision or another change of a quote that is decided. */
export const quoteIsFinal = (status: string) =>
  new ServiceError('quote_is_final', transitionSentence(status, 'GENERATED'));
export const clientHasNoEmail = (run?: WorkflowExecutionRef) =>
  new ServiceError('client_has_no_email', 'El cliente no tiene correo electrónico', { run });
export const quoteExpired = () => new ServiceError('quote_expired', 'La cotización está vencida');

export const alreadyAnswered = () => new ServiceError('quote_already_answered', 'La cotización ya fue respondida');
export const versionChanged = (run?: WorkflowExecutionRef) =>
  new ServiceError('quote_version_changed', 'La versión de la cotización cambió', { run });
/** A share that was started for another client than the quote has after a revision. */
export const quoteClientChanged = (run?: WorkflowExecutionRef) =>
  new ServiceError('quote_client_changed', 'La versión de la cotización cambió', { run });
/** The record has another entity tag than If-Match names. */
export const versionMismatch = () => new ServiceError('version_mismatch', 'La versión cambió');
/** On the page: the client accepts other lines than those whose amounts were shown. */
export const selectionChanged = () => new ServiceError('selection_changed', 'El total cambió con la selección');
/** For a client who decides too late; a member who shares an expired quote reads `quoteExpired`. */
export const quoteLapsed = () => new ServiceError('answer_period_over', 'La cotización venció');
export const signatureNotFound = () => new ServiceError('signature_not_found', 'Firma no encontrada');

export const deliveryEmptied = () =>
  new ServiceError('delivery_content_gone', 'El contenido del envío ya no se conserva');
export const webhookInactive = () => new ServiceError('webhook_inactive', 'El webhook está inactivo');
/** The webhook's endpoint gave no response; the delivery's error code says why. */
export const unreachable = () => new ServiceError('endpoint_unreachable', 'No se pudo conectar con el endpoint');

export const mailFailed = (run?: WorkflowExecutionRef) =>
  new ServiceError('mail_not_accepted', 'Error al enviar el correo', { run });
/** The share was started and may still finish; a new call joins it. */
export const sharePending = (cause?: unknown, run?: WorkflowExecutionRef) =>
  new ServiceError('share_pending', 'Servicio no disponible, intente más tarde', { cause, run, retryAfterSeconds: 5 });

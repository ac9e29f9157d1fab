import { newId } from '../../db/ids.ts';
import type { Detail, ServiceError } from '../../domain/errors.ts';
import type { Fields, FormState } from '../../console/forms/form-state.ts';
import { bodyFrom } from './form-body.ts';
import type { Operations } from './call.ts';
import type { BodyOf, OperationId } from './operations.ts';

/** Hidden fields of every form. */
const KEY = 'key';
const TAG = 'tag';

/** A submitted form. */
export interface PostedForm extends FormState {
  /** The body of an operation, made from the fields; the call checks it. */
  readonly bodyFor: <Id extends OperationId>(id: Id) => BodyOf<Id>;
}

/** A form that was not submitted yet. */
export const newForm = (fields: Fields = new Map(), tag?: string): FormState => ({
  key: newId(),
  tag,
  fields,
  errors: new Map(),
  refusal: undefined,
  isOutdated: false,
});

export function postedForm(operations: Operations, fields: Fields, key = fields.get(KEY)?.[0]): PostedForm {
  const own = new Map([...fields].filter(([name]) => name !== KEY && name !== TAG));
  return {
    ...newForm(own, fields.get(TAG)?.[0]),
    // A key that was changed by hand is no reason to refuse the form.
    ...(key !== undefined && /^[\w-]{1,64}$/.test(key) && { key }),
    bodyFor: (id) => {
      const { method } = operations.routeOf(id);
      const isChange = method === 'PATCH' || method === 'PUT';
      // Unchecked: the operation's own check follows.
      return bodyFrom(own, operations.bodySchema(id), isChange);
    },
  };
}

const KEY_USED = 'Este formulario ya se había enviado con otros datos. Revise si se guardó antes de enviarlo otra vez.';
const OUTDATED = 'Alguien cambió estos datos mientras usted los editaba.';

/** The form as it was submitted, with the refusal and the messages beside its fields. */
export function refusedForm(form: FormState, refusal: ServiceError): FormState {
  const details = refusal.details ?? [];
  const errors = new Map(
    details.filter(({ path }) => path !== '').map(({ path, message }) => [path, sentence(message)]),
  );
  const isKeyUsed = refusal.reason === 'idempotency_key_reused';
  return {
    ...form,
    // The earlier submission has its own result.
    ...(isKeyUsed && { key: newId() }),
    errors,
    refusal: refusalOf(refusal, details, isKeyUsed),
    isOutdated: refusal.kind === 'version_mismatch',
  };
}

function refusalOf(
  { kind, message }: ServiceError,
  details: readonly Detail[],
  isKeyUsed: boolean,
): string | undefined {
  if (isKeyUsed) return KEY_USED;
  if (kind === 'version_mismatch') return OUTDATED;
  // Messages of the API repeat the first field.
  return details.some(({ path }) => path !== '') ? undefined : sentence(message);
}

const sentence = (message: string): string => message.charAt(0).toLocaleUpperCase('es-MX') + message.slice(1);

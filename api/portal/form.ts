import type { Context } from 'koa';
import { hasLocalPartBeyondAscii } from '../../adapters/internet-address.ts';
import { type Detail, foreignOrigin, invalidInput, ServiceError } from '../../domain/errors.ts';
import type { Field, FormState } from '../../portal/view.ts';
import { hasUtf8Escapes } from '../read-query.ts';
import { readText } from '../read-text.ts';
import { bodyCheck } from '../validation.ts';
import { AcceptQuote, RejectQuote } from './schema.ts';

/** Converts posted forms to bodies of the JSON routes, and refusals to messages of the form. */

/** Our forms have at most six fields. */
const MAX_FIELDS = 100;

type PostedFields = Readonly<Record<string, unknown>>;

/** The fields of a posted form, the first of each name. A body that is no form has none. */
export async function readForm(ctx: Context, maxBytes: number): Promise<PostedFields> {
  if (!ctx.is('urlencoded')) return {};
  const form = await readText(ctx, maxBytes, () => invalidInput([]));
  if (form.split('&', MAX_FIELDS + 1).length > MAX_FIELDS || !hasUtf8Escapes(form)) throw invalidInput([]);
  return Object.fromEntries([...new URLSearchParams(form)].reverse());
}

/** Only our own page may post forms. The page's referrer policy makes browsers send Origin. */
export function assertOwnOrigin(ctx: Context, publicUrl: string): void {
  const site = ctx.get('Sec-Fetch-Site');
  const isOwn = ctx.get('Origin') === new URL(publicUrl).origin || site === 'same-origin';
  if (!isOwn) throw foreignOrigin();
}

const textOf = (posted: PostedFields, name: string): string => {
  const value = posted[name];
  return typeof value === 'string' ? value : '';
};

const checkAcceptance = bodyCheck(AcceptQuote);
const checkRejection = bodyCheck(RejectQuote);

/** The body of an acceptance. Reports all problems of the form together, including a missing consent. */
export function acceptanceOf(posted: PostedFields): AcceptQuote {
  const isDrawn = textOf(posted, 'signatureType') === 'drawn';
  const details: Detail[] = textOf(posted, 'consent') === 'si' ? [] : [{ path: 'consent', message: 'es obligatorio' }];
  try {
    const body = checkAcceptance({
      signerName: textOf(posted, 'signerName'),
      signerEmail: textOf(posted, 'signerEmail'),
      version: Number(textOf(posted, 'version')),
      signature: isDrawn ? { type: 'drawn', data: textOf(posted, 'signatureData') } : { type: 'typed' },
    });
    if (details.length === 0) return body;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    details.unshift(...(error.details ?? []));
  }
  throw invalidInput(details);
}

export const rejectionOf = (posted: PostedFields): RejectQuote => checkRejection({ reason: textOf(posted, 'reason') });

const FIELD_MESSAGES: Readonly<Record<Field, string>> = {
  signerName: 'Escriba su nombre completo.',
  signerEmail: 'Escriba un correo electrónico válido, como nombre@ejemplo.com.',
  signature: 'No pudimos leer la firma dibujada. Dibújela de nuevo o elija escribirla.',
  consent: 'Marque la casilla para aceptar.',
  reason: 'El motivo debe tener como máximo 1000 caracteres.',
};
const BEYOND_ASCII = 'Antes de la @ solo se admiten letras sin acento, como en jose@ejemplo.com.';
const isField = (name: string | undefined): name is Field => name !== undefined && name in FIELD_MESSAGES;

/** The form to show again, with its values and a message for each invalid field. */
export function refusedForm(open: FormState['open'], posted: PostedFields, details: readonly Detail[] = []): FormState {
  const names = ['signerName', 'signerEmail', 'reason'] as const;
  const values = Object.fromEntries(
    names.flatMap((name) => (name in posted ? [[name, textOf(posted, name).slice(0, 2_000)]] : [])),
  );
  const wrong = details.map(({ path }) => path.split('.')[0]).filter(isField);
  const wordsFor = (name: Field) =>
    name === 'signerEmail' && hasLocalPartBeyondAscii(textOf(posted, name).trim())
      ? BEYOND_ASCII
      : FIELD_MESSAGES[name];
  return { open, values, errors: Object.fromEntries(wrong.map((name) => [name, wordsFor(name)])) };
}

export const EMPTY_FORM: FormState = { open: 'accept', values: {}, errors: {} };

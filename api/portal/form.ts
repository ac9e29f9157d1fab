import type { Context } from 'koa';
import { hasLocalPartBeyondAscii } from '../../adapters/internet-address.ts';
import { type Detail, foreignOrigin, invalidInput, ServiceError } from '../../domain/errors.ts';
import type { Locale } from '../../domain/locale.ts';
import { textsOf } from '../../domain/texts/texts.ts';
import type { Field, FormState } from '../../portal/view.ts';
import { hasUtf8Escapes } from '../read-query.ts';
import { readText } from '../read-text.ts';
import { bodyCheck } from '../validation.ts';
import { AcceptQuote, MAX_LINES, RejectQuote, RequestChanges, SelectItems } from './schema.ts';

/** Converts posted forms to bodies of the JSON routes, and refusals to messages of the form. */

/** What is shown again of a value, in UTF-16 units: the longest permitted one whole. */
const MAX_SHOWN_UNITS = 6_000;

/** One for each line that can be selected, and those of our forms. */
const MAX_FIELDS = MAX_LINES + 100;

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

/** What a posted form selects; undefined in a form without options. */
export interface PostedSelection {
  readonly selected: readonly string[];
  /** The selection to which the amounts on the page belonged. */
  readonly shown: readonly string[];
}

export function selectionIn(posted: PostedFields): PostedSelection | undefined {
  if (!('shown' in posted)) return undefined;
  const selected = Object.keys(posted).filter((name) => /^(line|group)-\d+$/.test(name));
  return {
    selected: selected.map((name) => textOf(posted, name)),
    shown: textOf(posted, 'shown').split(',').filter(Boolean),
  };
}

const selectedItemIds = (posted: PostedFields) => {
  const selection = selectionIn(posted);
  return selection && { selectedItemIds: selection.selected };
};

const checkSelection = bodyCheck(SelectItems);

/** The version and the selection of a form. */
export const selectItemsOf = (posted: PostedFields): SelectItems =>
  checkSelection({ version: Number(textOf(posted, 'version')), ...selectedItemIds(posted) });

/** Whether the client saw the amounts of what the form selects. Without the script they may be of the selection before. */
export function isSelectionShown(posted: PostedFields): boolean {
  const { selected, shown } = selectionIn(posted) ?? { selected: [], shown: [] };
  return selected.length === shown.length && selected.every((id) => shown.includes(id));
}

const checkAcceptance = bodyCheck(AcceptQuote);
const checkRejection = bodyCheck(RejectQuote);
const checkChanges = bodyCheck(RequestChanges);

/** The body of an acceptance. Reports all problems of the form together, including a missing consent. */
export function acceptanceOf(posted: PostedFields): AcceptQuote {
  const isDrawn = textOf(posted, 'signatureType') === 'drawn';
  const details: Detail[] = textOf(posted, 'consent') === 'si' ? [] : [{ path: 'consent', message: 'es obligatorio' }];
  try {
    const body = checkAcceptance({
      signerName: textOf(posted, 'signerName'),
      signerEmail: textOf(posted, 'signerEmail'),
      version: Number(textOf(posted, 'version')),
      ...selectedItemIds(posted),
      signature: isDrawn ? { type: 'drawn', data: textOf(posted, 'signatureData') } : { type: 'typed' },
      locale: textOf(posted, 'locale') || undefined,
    });
    if (details.length === 0) return body;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    details.unshift(...(error.details ?? []));
  }
  throw invalidInput(details);
}

export const rejectionOf = (posted: PostedFields): RejectQuote => checkRejection({ reason: textOf(posted, 'reason') });

export const changesOf = (posted: PostedFields): RequestChanges =>
  checkChanges({
    message: textOf(posted, 'changeMessage'),
    name: textOf(posted, 'changeName'),
    email: textOf(posted, 'changeEmail'),
    version: Number(textOf(posted, 'version')),
  });

const FIELDS: readonly Field[] = ['signerName', 'signerEmail', 'signature', 'consent', 'reason'];
/** The fields of a change request, whose names differ from those of its body: all forms are in one page. */
const CHANGE_FIELDS: Readonly<Record<string, Field>> = {
  message: 'changeMessage',
  name: 'changeName',
  email: 'changeEmail',
};
const fieldNamed = (name: string | undefined): Field | undefined =>
  FIELDS.find((field) => field === name) ?? CHANGE_FIELDS[name ?? ''];

interface RefusedForm {
  readonly open: FormState['open'];
  readonly posted: PostedFields;
  readonly details?: readonly Detail[] | undefined;
}

/** The form to show again, with its values and a message for each invalid field. */
export function refusedForm({ open, posted, details = [] }: RefusedForm, locale: Locale): FormState {
  const { errors, emailBeyondAscii } = textsOf(locale).page.form;
  const names = ['signerName', 'signerEmail', 'reason', 'changeMessage', 'changeName', 'changeEmail'] as const;
  const values = Object.fromEntries(
    names.flatMap((name) => (name in posted ? [[name, textOf(posted, name).slice(0, MAX_SHOWN_UNITS)]] : [])),
  );
  const wrong = details.flatMap(({ path }) => fieldNamed(path.split('.')[0]) ?? []);
  const wordsFor = (name: Field) =>
    (name === 'signerEmail' || name === 'changeEmail') && hasLocalPartBeyondAscii(textOf(posted, name).trim())
      ? emailBeyondAscii
      : errors[name];
  return { open, values, errors: Object.fromEntries(wrong.map((name) => [name, wordsFor(name)])) };
}

export const EMPTY_FORM: FormState = { open: 'accept', values: {}, errors: {} };

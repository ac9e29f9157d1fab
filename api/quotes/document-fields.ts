import type { Quote } from '../../db/models/quote.ts';
import type { Deposit } from '../../domain/deposit.ts';
import { invalidInput } from '../../domain/errors.ts';
import { type Metadata, metadataProblems } from '../../domain/metadata.ts';

/** What a quote has besides lines and amounts. */
export interface DocumentFields {
  readonly title: string | null;
  /** The client's own number. */
  readonly reference: string | null;
  readonly terms: string | null;
  /** Never shown to clients. */
  readonly internalNotes: string | null;
  readonly deposit: Deposit | null;
  readonly metadata: Metadata;
}

/** The same members in a request body: an absent one keeps its value, null or "" clears it. */
export interface DocumentBody {
  readonly title?: string | null;
  readonly reference?: string | null;
  readonly terms?: string | null;
  readonly internalNotes?: string | null;
  readonly deposit?: { readonly type: Deposit['type']; readonly value: number; readonly note?: string | null } | null;
  readonly metadata?: Metadata | null;
}

export const NO_FIELDS: DocumentFields = {
  title: null,
  reference: null,
  terms: null,
  internalNotes: null,
  deposit: null,
  metadata: {},
};

/** The fields that a body sets, with `kept` for those that are absent. Throws a 400 for metadata that is not allowed. */
export function documentFieldsOf(body: DocumentBody, kept: DocumentFields): DocumentFields {
  const { deposit, metadata } = body;
  const problems = metadata ? metadataProblems(metadata) : [];
  if (problems.length > 0) throw invalidInput(problems);
  return {
    title: given(body.title, kept.title),
    reference: given(body.reference, kept.reference),
    terms: given(body.terms, kept.terms),
    internalNotes: given(body.internalNotes, kept.internalNotes),
    deposit: deposit === undefined ? kept.deposit : deposit && { ...deposit, note: deposit.note || null },
    metadata: metadata === undefined ? kept.metadata : (metadata ?? {}),
  };
}

const given = (value: string | null | undefined, kept: string | null): string | null =>
  value === undefined ? kept : value || null;

type Columns = Pick<Quote, keyof DocumentFields>;

/** The columns of the fields. */
export const documentColumns = ({ deposit, metadata, ...texts }: DocumentFields): Columns => ({
  deposit: deposit && JSON.stringify(deposit),
  metadata: Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : null,
  ...texts,
});

/** The fields of a stored quote; only validated ones are stored. */
export const storedFields = ({
  title,
  reference,
  terms,
  internalNotes,
  deposit,
  metadata,
}: Columns): DocumentFields => ({
  title,
  reference,
  terms,
  internalNotes,
  deposit: deposit === null ? null : (JSON.parse(deposit) as Deposit),
  metadata: metadata === null ? {} : (JSON.parse(metadata) as Metadata),
});

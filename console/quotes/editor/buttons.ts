import { type Html, html } from '../../../domain/html.ts';

interface EditButton {
  /** Where the form posts to. */
  readonly action: string;
  /** What happens to the form; nothing is stored. */
  readonly value: string;
  readonly label: string | Html;
  /** The accessible name, where the label is too short. */
  readonly says?: string;
  /** The part of the page that changes. */
  readonly region: string;
  /** Other parts that change with it. */
  readonly also?: string;
  readonly style?: 'button-plain' | 'button-quiet' | 'pick' | 'tool';
  readonly id?: string;
  readonly isFocused?: boolean;
  readonly isDisabled?: boolean;
  readonly attributes?: Html;
}

/** Submits the form to change what it shows: without a script as a whole page, with htmx in place. */
export const editButton = ({
  action,
  value,
  label,
  says,
  region,
  also,
  style = 'button-plain',
  id,
  isFocused = false,
  isDisabled = false,
  attributes,
}: EditButton): Html =>
  html`<button
    type="submit"
    class="${style.startsWith('button') ? `button ${style}` : style}"
    name="do"
    value="${value}"
    hx-post="${action}"
    hx-target="#${region}"
    hx-select="#${region}"
    hx-swap="outerHTML"
    ${also === undefined ? null : html`hx-select-oob="${also}"`}
    ${says === undefined ? null : html`aria-label="${says}"`}
    ${id === undefined ? null : html`id="${id}"`}
    ${isFocused ? html`autofocus` : null}
    ${isDisabled ? html`disabled` : null}
    ${attributes ?? null}
  >
    ${label}
  </button>`;

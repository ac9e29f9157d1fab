import { type Html, html } from '../../domain/html.ts';

/** A button that posts the form to change its rows; nothing is stored. */
export const rowButton = ({
  value,
  label,
  says,
  style = 'button-quiet',
}: {
  /** `conditions.0.remove`, `add-action` */
  readonly value: string;
  readonly label: string;
  /** The accessible name, where the label is too short. */
  readonly says?: string;
  readonly style?: 'button-quiet' | 'button-plain';
}): Html =>
  html`<button
    type="submit"
    class="button ${style}"
    name="do"
    value="${value}"
    formnovalidate
    ${says === undefined ? null : html`aria-label="${says}"`}
  >
    ${label}
  </button>`;

/** The message of a list as a whole, such as one without rows. */
export const listError = (name: string, message: string | undefined): Html | null =>
  message === undefined ? null : html`<p class="error" id="${name}-error">${message}</p>`;

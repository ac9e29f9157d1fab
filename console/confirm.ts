import { type Html, html } from '../domain/html.ts';
import { actionForm } from './forms/form.ts';
import type { FormState } from './forms/form-state.ts';

interface Confirmed {
  readonly form: FormState;
  readonly action: string;
  /** On the closed button, such as «Revocar». */
  readonly label: string;
  /** What the action does and whether it can be undone. */
  readonly text: string | Html;
  /** On the button that does it, such as «Revocar la clave». */
  readonly submit: string;
}

/** A button that first says what it does; works without scripts. */
export const confirmed = ({ form, action, label, text, submit }: Confirmed): Html =>
  html`<details class="confirm">
    <summary class="button button-quiet">${label}</summary>
    <div class="confirm-body">
      <p>${text}</p>
      ${actionForm({ form, action, submit, style: 'button-danger' })}
    </div>
  </details>`;

import { MAX_DELAY_MINUTES } from '../../domain/automation.ts';
import { type Html, html } from '../../domain/html.ts';
import type { FieldSet } from '../forms/fields.ts';
import { DELAY_UNITS } from './words.ts';

/** An amount with its unit. The longest delay is a year. */
export const delayFields = (fields: FieldSet, prefix: string, hint: string): Html =>
  html`<div class="delay">
    ${fields.text(`${prefix}delayMinutes`, { inputmode: 'numeric', isRequired: true, maxlength: String(MAX_DELAY_MINUTES).length, hint })}
    ${fields.select(
      `${prefix}delayUnit`,
      DELAY_UNITS.toReversed().map(({ minutes, many }) => ({ value: String(minutes), label: many })),
      { isLabelHidden: true },
    )}
  </div>`;

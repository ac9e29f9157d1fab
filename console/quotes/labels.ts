import { type Html, html } from '../../domain/html.ts';
import type { Label } from './view.ts';

/** A label with its colour. Styles in attributes are not allowed, but attributes of SVG are. */
export const labelChip = ({ name, color }: Label): Html =>
  html`<span class="chip label-chip">${labelDot(color)}${name}</span>`;

export const labelDot = (color: string): Html =>
  html`<svg class="label-dot" viewBox="0 0 8 8" aria-hidden="true">
    <circle cx="4" cy="4" r="4" fill="${color}" />
  </svg>`;

import { type Html, html } from '../domain/html.ts';

export interface Column {
  readonly label: string;
  /** Amounts and counts stand at the right. */
  readonly isNumber?: boolean;
  /** Left out on a phone, where the row is a card. */
  readonly isMinor?: boolean;
}

interface Row {
  /** The first cell is the row's name: a link, mostly. */
  readonly cells: readonly (Html | string | null)[];
}

/** A table that becomes a list of cards on a phone. The first column names each row. */
export function table(caption: string, columns: readonly Column[], rows: readonly Row[]): Html {
  return html`<table class="table">
    <caption class="visually-hidden">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col" class="${classesOf(column)}">${column.label}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ cells }) =>
          html`<tr>
            ${cells.map((cell, index) => cellOf(cell, columns[index], index))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function cellOf(cell: Html | string | null, column: Column | undefined, index: number): Html {
  if (!column) return html``;
  if (index === 0) return html`<th scope="row">${cell}</th>`;
  return html`<td class="${classesOf(column)}" data-label="${column.label}">${cell}</td>`;
}

const classesOf = ({ isNumber = false, isMinor = false }: Column): string =>
  [isNumber ? 'number' : '', isMinor ? 'minor' : ''].join(' ').trim();

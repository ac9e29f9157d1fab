import type { AutomationAction, AutomationLogStatus, Trigger } from '../../domain/automation.ts';
import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { emptyState } from '../empty-state.ts';
import { moment } from '../figures.ts';
import { heading } from '../layout.ts';
import { table } from '../tables.ts';
import { ACTION_NAMES, activeChip, delayText, runChip, TRIGGER_NAMES } from './words.ts';

export interface AutomationRow {
  readonly id: string;
  readonly name: string;
  readonly trigger: Trigger;
  readonly isActive: boolean;
  readonly actions: readonly Pick<AutomationAction, 'type'>[];
  readonly delayMinutes: number;
  readonly _count: { readonly logs: number };
  readonly lastRun: {
    readonly status: AutomationLogStatus;
    readonly error: string | null;
    readonly triggeredAt: string;
  } | null;
}

const TITLE = 'Automatizaciones';
export const PATH = '/app/automations';
const NEW = { label: 'Nueva automatización', href: `${PATH}/new` };

/** The automations with their state and their last run. */
export function automationListPage(
  rows: readonly AutomationRow[],
  timeZone: TimeZone,
): { readonly title: string; readonly body: Html } {
  const body =
    rows.length === 0
      ? html`${heading(TITLE)}
        ${emptyState({
          title: 'Todavía no hay automatizaciones',
          text:
            'Una automatización hace por usted el seguimiento: por ejemplo, dos días después de enviar una ' +
            'cotización le recuerda llamar al cliente, o le avisa de las que pasan de cierto total.',
          action: { label: 'Crear la primera', href: NEW.href },
        })}`
      : html`${heading(TITLE, {
          lead: 'Cuando algo sucede con una cotización y se cumplen sus condiciones, hacen sus acciones en orden.',
          actions: [html`<a class="button button-main" href="${NEW.href}">${NEW.label}</a>`],
        })}
        ${table(
          TITLE,
          [
            { label: 'Automatización' },
            { label: 'Estado' },
            { label: 'Qué hace' },
            { label: 'Última ejecución' },
            { label: 'Ejecuciones', isNumber: true },
          ],
          rows.map((row) => ({ cells: cellsOf(row, timeZone) })),
        )}`;
  return { title: TITLE, body };
}

const cellsOf = (row: AutomationRow, timeZone: TimeZone): readonly (Html | string)[] => [
  html`<a href="${PATH}/${row.id}">${row.name}</a><span class="sub">${TRIGGER_NAMES[row.trigger]}</span>`,
  activeChip(row.isActive),
  html`${row.actions.map(({ type }) => ACTION_NAMES[type]).join(', ')}${
    row.delayMinutes === 0 ? null : html`<span class="sub">${delayText(row.delayMinutes)} después</span>`
  }`,
  row.lastRun === null
    ? 'Ninguna todavía'
    : html`${runChip(row.lastRun)}<span class="sub">${moment(row.lastRun.triggeredAt, timeZone)}</span>`,
  row._count.logs.toLocaleString('es-MX'),
];

import { type Html, html } from '../../domain/html.ts';
import type { TimeZone } from '../../domain/zone.ts';
import { emptyState } from '../empty-state.ts';
import { shortDay } from '../figures.ts';
import { heading } from '../layout.ts';
import { BENEFITS } from '../plan-benefits.ts';
import { table } from '../tables.ts';
import { TEMPLATES_PATH, type TemplateView } from './view.ts';

interface TemplateListView {
  readonly templates: readonly TemplateView[];
  /** The user is an owner. */
  readonly canManage: boolean;
  /** The plan has templates; without it the existing ones stay readable. */
  readonly hasTemplates: boolean;
  readonly timeZone: TimeZone;
}

const MAX_NAMED = 3;

/** The templates of the business. */
export function templateListPage(view: TemplateListView): { readonly title: string; readonly body: Html } {
  const { templates, canManage, hasTemplates, timeZone } = view;
  const title = 'Plantillas';
  const canCreate = canManage && hasTemplates;
  const create = html`<a class="button button-main" href="${TEMPLATES_PATH}/new">Plantilla nueva</a>`;
  const body = html`${heading(title, {
    lead: 'Cotizaciones habituales, listas para elegir al cliente y enviar.',
    actions: canCreate && templates.length > 0 ? [create] : [],
  })}
  ${hasTemplates ? null : locked}
  ${
    templates.length === 0
      ? emptyState({
          title: 'Todavía no hay plantillas',
          text: 'Guarde aquí las partidas, notas y condiciones que cotiza una y otra vez.',
          ...(canCreate && { action: { label: 'Crear una plantilla', href: `${TEMPLATES_PATH}/new` } }),
        })
      : table(
          'Plantillas',
          [
            { label: 'Plantilla' },
            { label: 'Partidas' },
            { label: 'Moneda', isMinor: true },
            { label: 'Cambiada', isMinor: true },
            { label: 'Acciones' },
          ],
          templates.map((template) => ({ cells: cellsOf(template, view, timeZone) })),
        )
  }`;
  return { title, body };
}

const locked = html`<section class="notice notice-warn" aria-labelledby="plan-pro">
  <h2 id="plan-pro">Disponible en el plan PRO</h2>
  <p>${BENEFITS['templates'] ?? ''} Las que ya guardó se conservan, y puede borrarlas.</p>
</section>`;

const cellsOf = (
  template: TemplateView,
  { canManage, hasTemplates }: TemplateListView,
  timeZone: TimeZone,
): readonly (Html | string | null)[] => [
  html`${
    canManage
      ? html`<a href="${TEMPLATES_PATH}/${template.id}"><bdi>${template.name}</bdi></a>`
      : html`<bdi>${template.name}</bdi>`
  }${template.description === null ? null : html`<span class="sub">${template.description}</span>`}`,
  html`${template.items.length === 1 ? '1 partida' : `${template.items.length} partidas`}<span class="sub"
      >${template.items
        .slice(0, MAX_NAMED)
        .map(({ productName }) => productName)
        .join(', ')}${template.items.length > MAX_NAMED ? '…' : null}</span
    >`,
  template.currency,
  shortDay(template.updatedAt, timeZone),
  hasTemplates
    ? html`<a href="/app/quotes/new?template=${template.id}"
        >Usar<span class="visually-hidden"> la plantilla ${template.name}</span></a
      >`
    : null,
];

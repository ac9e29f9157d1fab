import { type Html, html } from '../../../domain/html.ts';
import type { FieldSet } from '../../forms/fields.ts';
import { valueOf } from '../../forms/form-state.ts';
import { editButton } from './buttons.ts';
import { type EditorView, type FoundProducts, UNTAXED } from './view.ts';

const REGION = 'items';
const TOTALS = '#totales';

/** The lines of a quote: one page of them, and the others as hidden fields. */
export function linesCard(view: EditorView, fields: FieldSet): Html {
  const { form, lines, action } = view;
  const message = form.errors.get('items');
  const rows = Array.from({ length: lines.until - lines.from }, (_, index) => lines.from + index);
  return html`<section class="card" id="${REGION}" tabindex="-1" aria-labelledby="partidas-titulo">
    <h2 id="partidas-titulo">Partidas</h2>
    ${message === undefined ? null : html`<p class="error" id="items-error">${message}</p>`}
    <input type="hidden" name="page" value="${lines.page}" />
    ${otherPages(view)} ${pageButtons(view)}
    <ol start="${lines.from + 1}">
      ${rows.map((row) => line(view, fields, row))}
    </ol>
    ${pageButtons(view)}
    <datalist id="secciones">${sectionsOf(view).map((section) => html`<option value="${section}"></option>`)}</datalist>
    ${editButton({ action, value: 'add', label: 'Agregar partida', region: REGION, also: TOTALS, attributes: html`data-add-row` })}
  </section>`;
}

const sectionsOf = ({ form, lines: { count } }: EditorView): readonly string[] => [
  ...new Set(
    Array.from({ length: count }, (_, row) => valueOf(form, `items.${row}.section`)).filter(
      (section) => section !== '',
    ),
  ),
];

/** Nothing of the lines on other pages may be lost. */
function otherPages({ form, lines: { from, until } }: EditorView): Html {
  const hidden = [...form.fields].filter(([name]) => {
    const row = /^items\.(\d+)\./.exec(name)?.[1];
    return row !== undefined && (Number(row) < from || Number(row) >= until);
  });
  return html`${hidden.flatMap(([name, values]) =>
    values
      .filter((value) => value !== '' && value !== 'false')
      .map((value) => html`<input type="hidden" name="${name}" value="${value}" />`),
  )}`;
}

function pageButtons({ action, lines }: EditorView): Html | null {
  const { page, pages, from, until, count } = lines;
  if (pages < 2) return null;
  const go = (to: number, label: string) =>
    editButton({ action, value: `page.${to}`, label, region: REGION, isDisabled: to < 1 || to > pages });
  return html`<div class="editor-pages">
    ${go(page - 1, 'Anteriores')}
    <span>Partidas ${from + 1} a ${until} de ${count}</span>
    ${go(page + 1, 'Siguientes')}
  </div>`;
}

function line(view: EditorView, fields: FieldSet, row: number): Html {
  const { form, lines, totals, action, revised } = view;
  const name = (member: string) => `items.${row}.${member}`;
  const section = valueOf(form, name('section'));
  const begins = section !== '' && (row === 0 || section !== valueOf(form, `items.${row - 1}.section`));
  const says = `la partida ${row + 1}`;
  const tool = (value: string, label: string, verb: string, isDisabled = false) =>
    editButton({
      action,
      value: `${value}.${row}`,
      label,
      says: `${verb} ${says}`,
      region: REGION,
      also: TOTALS,
      style: 'tool',
      isDisabled,
      isFocused: lines.focus === name(value),
    });
  const typing = html`hx-get="/app/quotes/new/products" hx-trigger="input changed delay:350ms"
  hx-vals="${JSON.stringify({ row: String(row), of: revised?.id ?? '' })}" hx-target="#hallazgos-${row}"
  hx-select="#hallazgos-${row}" hx-swap="outerHTML"`;
  const priceHint = lines.priceHint?.row === row ? lines.priceHint.text : undefined;
  return html`<li class="line" data-row data-picks>
    ${begins ? html`<p class="line-section">${section}</p>` : null}
    <input type="hidden" name="${name('row')}" value="1" />${fields.hidden(name('productId'))}
    <div class="line-main">
      ${fields.text(name('productName'), {
        isRequired: true,
        maxlength: 2000,
        isFocused: lines.focus === name('productName'),
        attributes: typing,
      })}
      ${fields.text(name('quantity'), {
        isRequired: true,
        inputmode: 'decimal',
        maxlength: 20,
        isFocused: lines.focus === name('quantity'),
      })}
      ${fields.text(name('unit'), { maxlength: 20 })}
      ${fields.text(name('unitPrice'), {
        isRequired: true,
        inputmode: 'decimal',
        maxlength: 20,
        ...(priceHint !== undefined && { hint: priceHint }),
      })}
      ${lineAmount(totals, row)}
    </div>
    ${foundProducts(lines.catalogue?.row === row ? lines.catalogue : undefined, { row, action })}
    <div class="line-foot">
      ${more(view, fields, row)}
      <div class="line-tools">
        ${tool('search', 'Catálogo', 'Buscar en el catálogo para')} ${tool('up', 'Subir', 'Subir', row === 0)}
        ${tool('down', 'Bajar', 'Bajar', row === lines.count - 1)} ${tool('remove', 'Quitar', 'Quitar')}
      </div>
    </div>
  </li>`;
}

/** What a line costs; `isUpdate` as a part of a response that replaces it in place. */
export function lineAmount({ amounts }: EditorView['totals'], row: number, isUpdate = false): Html {
  const known = amounts.get(row);
  return html`<p class="line-amount" id="importe-${row}" ${isUpdate ? html`hx-swap-oob="true"` : null}>
    <span class="label">Importe</span>
    <span class="amount">${known?.amount ?? '—'}</span>
    ${known && !known.counts ? html`<span class="sub">No suma al total</span>` : null}
  </p>`;
}

/** Products of the catalogue for one line, each a button that fills the line in. */
function foundProducts(products: FoundProducts | undefined, { row, action }: { row: number; action: string }): Html {
  if (!products) return html`<div id="hallazgos-${row}" aria-live="polite"></div>`;
  const { found, search } = products;
  return html`<div id="hallazgos-${row}" aria-live="polite">
    ${
      found.length === 0
        ? search === ''
          ? html`<p class="soft">El catálogo no tiene productos. Escriba el concepto y su precio.</p>`
          : html`<p class="soft">Nada en el catálogo coincide con «${search}»: la partida queda como la escribió.</p>`
        : html`<ul class="picks" aria-label="Del catálogo">
            ${found.map(
              ({ id, name, modelSku, price }) =>
                html`<li>
                  ${editButton({
                    action,
                    value: `pick.${row}.${id}`,
                    label: html`<span><bdi>${name}</bdi></span
                      ><span class="sub">${[modelSku, price].filter(Boolean).join(' · ')}</span>`,
                    region: REGION,
                    also: TOTALS,
                    style: 'pick',
                  })}
                </li>`,
            )}
          </ul>`
    }
  </div>`;
}

const FOLDED = ['model', 'description', 'section', 'discountPct', 'taxes', 'optional', 'choice', 'selected'] as const;

function more({ form, taxes, totals }: EditorView, fields: FieldSet, row: number): Html {
  const name = (member: string) => `items.${row}.${member}`;
  const isWrong = [...form.errors.keys()].some((error) => FOLDED.some((member) => error.startsWith(name(member))));
  const message = [...form.errors].find(([error]) => error.startsWith(name('taxes')))?.[1];
  return html`<details class="fold" id="mas-${row}" ${isWrong ? html`open` : null}>
    <summary>
      Más<span class="visually-hidden"> de la partida ${row + 1}</span> <span class="sub">${summaryOf(form, row)}</span>
    </summary>
    <div class="grid">
      ${fields.text(name('model'), { maxlength: 200 })}
      ${fields.text(name('discountPct'), { inputmode: 'decimal', maxlength: 10 })}
    </div>
    ${fields.area(name('description'), { rows: 2, maxlength: 2000 })}
    ${fields.text(name('section'), { maxlength: 100, attributes: html`list="secciones"`, hint: 'Las partidas seguidas de una sección llevan su encabezado y su subtotal.' })}
    <fieldset class="field" id="${name('taxes')}" tabindex="-1">
      <legend>Impuestos</legend>
      <p class="hint">
        Sin marcar ninguno: el del negocio${totals.defaultTax === undefined ? '' : ` (${totals.defaultTax})`}.
      </p>
      <div class="checks">
        ${taxes.map(({ code, name: label }) => fields.choice(name('taxes'), { value: code, label }))}
        ${fields.choice(name('taxes'), { value: UNTAXED, label: 'Sin impuestos' })}
      </div>
      ${message === undefined ? null : html`<p class="error">${message}</p>`}
    </fieldset>
    <div class="grid">
      ${fields.check(name('optional'))}
      ${fields.text(name('choice'), { maxlength: 60, hint: 'De las partidas con el mismo nombre de grupo cuenta una.' })}
    </div>
    ${fields.check(name('selected'), { hint: 'De una partida opcional o de un grupo: cuenta desde el principio.' })}
  </details>`;
}

/** What is set in the folded part, so that it is not forgotten. */
function summaryOf(form: EditorView['form'], row: number): string {
  const value = (member: string) => valueOf(form, `items.${row}.${member}`);
  const taxes = (form.fields.get(`items.${row}.taxes`) ?? []).filter((code) => code !== '');
  const discount = value('discountPct');
  const choice = value('choice');
  return [
    value('model'),
    discount === '' || Number(discount) === 0 ? '' : `${discount} % de descuento`,
    taxes.includes(UNTAXED) ? 'sin impuestos' : taxes.join(', '),
    value('optional') === 'true' ? 'opcional' : '',
    choice === '' ? '' : `alternativa de ${choice}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The matches alone, which htmx puts under the line while somebody types; without any, the line stays quiet. */
export const productsPage = (products: FoundProducts, action: string) => ({
  title: 'Catálogo',
  body: html`<h1>Catálogo</h1>
    ${foundProducts(products.found.length === 0 ? undefined : products, { row: products.row, action })}`,
});

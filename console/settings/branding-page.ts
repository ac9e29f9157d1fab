import { type Html, html } from '../../domain/html.ts';
import { paperOf } from '../../domain/paper.ts';
import { hasFeature } from '../../domain/plans.ts';
import type { FONT_FAMILIES, HEADER_LAYOUTS, PdfBranding } from '../../domain/settings.ts';
import { confirmed } from '../confirm.ts';
import { fieldSet } from '../forms/fields.ts';
import { formElement } from '../forms/form.ts';
import { type FormState, valueOf } from '../forms/form-state.ts';
import { BENEFITS } from '../plan-benefits.ts';
import { settingsForm, settingsPage, settingsPath } from './frame.ts';
import type { SettingsView } from './settings-view.ts';
import { isColor, sketch } from './sketch.ts';

const PATH = settingsPath('branding');
const LABELS = {
  paperSize: 'Papel',
  'pdfBranding.primaryColor': 'Color principal',
  'pdfBranding.accentColor': 'Color de acento',
  'pdfBranding.fontFamily': 'Tipografía',
  'pdfBranding.headerLayout': 'Encabezado',
  'pdfBranding.footerText': 'Texto al pie',
  'pdfBranding.paperSize': 'Papel (ajuste anterior)',
};
const LOGO_LABELS = { logo: 'Archivo' };

const FONTS: Readonly<Record<(typeof FONT_FAMILIES)[number], string>> = {
  Helvetica: 'Sin remates (Helvetica)',
  Times: 'Con remates (Times)',
  Courier: 'De máquina (Courier)',
};
const LAYOUTS: Readonly<Record<(typeof HEADER_LAYOUTS)[number], string>> = {
  left: 'Logotipo a la izquierda',
  center: 'Logotipo al centro',
  right: 'Logotipo a la derecha',
};
const PAPERS = { LETTER: 'Carta', A4: 'A4' } as const;
const PAPER_OPTIONS = Object.entries(PAPERS).map(([value, label]) => ({ value, label }));

export interface BrandingView extends SettingsView {
  readonly logoForm: FormState;
  /** The business has a quote whose PDF shows the saved look. */
  readonly hasQuote: boolean;
  /** The address of the script that shows changes before they are saved. */
  readonly script: string;
}

/** Logo, colours and paper of the documents, with what they look like. */
export function brandingPage(view: BrandingView): { readonly title: string; readonly body: Html } {
  const { plan, hasQuote, script } = view;
  const isPro = hasFeature(plan, 'pdf_branding');
  const body = html`<script src="${script}" defer></script>
    ${isPro ? null : free(view)} ${logoCard(view)}
    <div class="look">
      <div>
        ${settingsForm('branding', view, LABELS, html`${isPro ? lookFields(view) : null} ${paperFields(view)}`)}
      </div>
      <section class="card look-preview" aria-labelledby="muestra">
        <h2 id="muestra">Así se ven sus documentos</h2>
        ${sketch(view)}
        ${
          hasQuote
            ? html`<p class="hint">
                <a href="${PATH}/preview" target="_blank" rel="noopener">Abrir el PDF de su cotización más reciente</a>,
                con lo que ya guardó.
              </p>`
            : html`<p class="hint">Cuando tenga una cotización, aquí podrá abrir su PDF.</p>`
        }
      </section>
    </div>
    ${view.settings.pdfBranding !== null && isPro ? reset(view.form, 'Quita los colores, la tipografía y el texto al pie. El logotipo se queda.') : null}`;
  return settingsPage('branding', 'El aspecto de los PDF que reciben sus clientes.', body);
}

const free = ({ settings, form }: BrandingView): Html =>
  html`<section class="notice notice-warn" aria-labelledby="plan">
    <h2 id="plan">Logotipo y colores son del plan PRO</h2>
    <p>${BENEFITS['pdf_branding'] ?? ''} En FREE llevan la forma de siempre y una marca de agua.</p>
    ${
      settings.pdfBranding === null
        ? null
        : html`<p>Sus colores anteriores siguen guardados y volverán con PRO.</p>
            ${reset(form, 'Borra los colores, la tipografía y el texto al pie que tenía guardados.')}`
    }
  </section>`;

const reset = (form: FormState, text: string): Html =>
  confirmed({
    form,
    action: `${PATH}/reset`,
    label: 'Volver a la forma de siempre',
    text,
    submit: 'Quitar el aspecto',
  });

function lookFields({ form }: BrandingView): Html {
  const fields = fieldSet(form, LABELS);
  const options = (words: Readonly<Record<string, string>>, standard: string) => [
    { value: '', label: standard },
    ...Object.entries(words).map(([value, label]) => ({ value, label })),
  ];
  return html`<div class="card">
    <h2>Aspecto</h2>
    <div class="grid">
      ${color(form, 'primaryColor', 'Franja y tabla de partidas. Por ejemplo #1F4E79.')}
      ${color(form, 'accentColor', 'El total. Vacío: el principal.')}
      ${fields.select('pdfBranding.fontFamily', options(FONTS, 'La de siempre'), { isOptionalHidden: true })}
      ${fields.select('pdfBranding.headerLayout', options(LAYOUTS, 'El de siempre'), { isOptionalHidden: true })}
    </div>
    ${fields.area('pdfBranding.footerText', { rows: 2, maxlength: 200, hint: 'En cada página: horario, sitio, aviso.' })}
  </div>`;
}

/** A colour as text, with a sample; the script adds the browser's colour picker. */
function color(form: FormState, member: 'primaryColor' | 'accentColor', hint: string): Html {
  const name = `pdfBranding.${member}`;
  const value = valueOf(form, name);
  return html`<div class="color">
    ${fieldSet(form, LABELS).text(name, { isShort: true, isOptionalHidden: true, maxlength: 7, hint, attributes: html`data-color="${member}"` })}
    <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
      <rect width="1" height="1" fill="${isColor(value) ? value : 'none'}" data-fill="${member}" />
    </svg>
  </div>`;
}

function paperFields({ form, settings, plan }: BrandingView): Html {
  const fields = fieldSet(form, LABELS);
  const ofCountry = PAPERS[paperOf(settings.country)];
  const earlier = settings.pdfBranding?.paperSize;
  return html`<div class="card">
    <h2>Papel</h2>
    ${fields.select('paperSize', [{ value: '', label: `El de su país (${ofCountry})` }, ...PAPER_OPTIONS], {
      isOptionalHidden: true,
    })}
    ${
      earlier !== undefined && hasFeature(plan, 'pdf_branding')
        ? fields.select('pdfBranding.paperSize', [{ value: '', label: 'Sin ajuste' }, ...PAPER_OPTIONS], {
            isOptionalHidden: true,
            hint: 'Vale solo si arriba está el papel de su país. Elija «Sin ajuste» para quitarlo.',
          })
        : null
    }
  </div>`;
}

function logoCard({ settings, logoForm, plan }: BrandingView): Html {
  const message = logoForm.errors.get('logo');
  const body = html`<div class="field">
    <label class="label" for="logo">${settings.logoUrl === null ? 'Archivo' : 'Otro archivo'}</label>
    <input
      type="file"
      id="logo"
      name="logo"
      accept=".png,.jpg,.jpeg,.webp,.svg,image/png,image/jpeg,image/webp,image/svg+xml"
      required
      aria-describedby="logo-hint"
    />
    <p class="hint" id="logo-hint">PNG, JPG, WebP o SVG, hasta 2 MB. Se guarda como PNG con su transparencia.</p>
    ${message === undefined ? null : html`<p class="error" id="logo-error">${message}</p>`}
  </div>`;
  return html`<section class="card" aria-labelledby="logotipo">
    <h2 id="logotipo">Logotipo ${hasFeature(plan, 'pdf_branding') ? null : html`<span class="pro">PRO</span>`}</h2>
    <div class="logo">
      ${
        settings.logoUrl === null
          ? html`<p class="logo-frame soft">Sin logotipo</p>`
          : html`<p class="logo-frame"><img src="/app/settings/logo" alt="Logotipo de ${settings.companyName}" /></p>`
      }
      <div>
        ${formElement({
          form: logoForm,
          action: `${PATH}/logo`,
          labels: LOGO_LABELS,
          submit: settings.logoUrl === null ? 'Subir el logotipo' : 'Cambiar el logotipo',
          isUpload: true,
          body,
        })}
        ${
          settings.logoUrl === null
            ? null
            : confirmed({
                form: logoForm,
                action: `${PATH}/remove-logo`,
                label: 'Quitar el logotipo',
                text: 'Los documentos nuevos salen sin él. Los que ya firmó un cliente no cambian.',
                submit: 'Quitarlo',
              })
        }
      </div>
    </div>
  </section>`;
}

/** The members of the settings that this page changes. */
export const BRANDING_MEMBERS = ['paperSize', 'pdfBranding'] as const;

/** Every member has a field, also without a value. */
export const lookOf = (branding: PdfBranding | null): Readonly<Record<string, string>> => ({
  primaryColor: branding?.primaryColor ?? '',
  accentColor: branding?.accentColor ?? '',
  fontFamily: branding?.fontFamily ?? '',
  headerLayout: branding?.headerLayout ?? '',
  footerText: branding?.footerText ?? '',
});

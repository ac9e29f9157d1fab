import { type Html, html } from '../../domain/html.ts';
import { hasFeature } from '../../domain/plans.ts';
import { valueOf } from '../forms/form-state.ts';
import type { SettingsView } from './settings-view.ts';

const PLAIN = { primary: '#1f4e79', band: '#f2f5f8' };

export const isColor = (text: string): boolean => /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text);

/** Where the logo is, by layout: the x of its box on a page of 240. */
const LOGO_AT: Readonly<Record<string, number>> = { left: 16, center: 92, right: 168 };
const FAMILIES: Readonly<Record<string, string>> = {
  Helvetica: 'Helvetica, Arial, sans-serif',
  Times: 'Times New Roman, Times, serif',
  Courier: 'Courier New, Courier, monospace',
};

/** The first page of a document in outline, with the colours of the form. Its script changes `data-fill` while typing. */
export function sketch({ form, settings, plan }: SettingsView): Html {
  const isPro = hasFeature(plan, 'pdf_branding');
  const chosen = (member: string): string => (isPro ? valueOf(form, `pdfBranding.${member}`) : '');
  const color = (member: string): string | undefined => (isColor(chosen(member)) ? chosen(member) : undefined);
  const primary = color('primaryColor');
  const accent = color('accentColor') ?? primary ?? PLAIN.primary;
  const logoX = LOGO_AT[chosen('headerLayout')] ?? 16;
  const family = FAMILIES[chosen('fontFamily')] ?? 'Helvetica, Arial, sans-serif';
  const textX = logoX === 168 ? 16 : 224;
  const anchor = logoX === 168 ? 'start' : 'end';
  const footer = chosen('footerText').slice(0, 60);
  return html`<svg
    class="sketch"
    viewBox="0 0 240 300"
    role="img"
    aria-label="Muestra de la primera página con sus colores"
    font-family="${family}"
  >
    <rect width="240" height="300" fill="#ffffff" />
    <rect width="240" height="6" fill="${primary ?? 'none'}" data-fill="primaryColor" />
    <rect x="${logoX}" y="18" width="56" height="26" rx="3" fill="#e5e9ee" />
    <text x="${logoX + 28}" y="34" font-size="8" text-anchor="middle" fill="#5c6875">
      ${settings.logoUrl === null || !isPro ? 'Nombre' : 'Logotipo'}
    </text>
    ${
      logoX === 92
        ? html`<text x="120" y="60" font-size="11" font-weight="700" text-anchor="middle" fill="#1f2933"
            >COTIZACIÓN</text
          >`
        : html`<text x="${textX}" y="30" font-size="11" font-weight="700" text-anchor="${anchor}" fill="#1f2933">
              COTIZACIÓN
            </text>
            <text x="${textX}" y="42" font-size="8" text-anchor="${anchor}" fill="#5c6875">15 de diciembre</text>`
    }
    <rect x="16" y="72" width="90" height="4" fill="#d6dce2" />
    <rect x="16" y="81" width="70" height="4" fill="#e5e9ee" />
    <rect x="16" y="102" width="208" height="16" fill="${primary ?? PLAIN.band}" data-fill="primaryColor" />
    ${[126, 144, 162].map(
      (y) =>
        html`<rect x="20" y="${y}" width="96" height="5" fill="#cbd3db" />
          <rect x="184" y="${y}" width="36" height="5" fill="#cbd3db" />
          <rect x="16" y="${y + 11}" width="208" height="0.6" fill="#d6dce2" />`,
    )}
    <rect x="114" y="190" width="110" height="22" fill="#f2f5f8" />
    <text x="120" y="204" font-size="8" fill="#1f2933">Total</text>
    <text x="218" y="204" font-size="9" font-weight="700" text-anchor="end" fill="${accent}" data-fill="accentColor">
      $11,600.00
    </text>
    <rect x="16" y="190" width="80" height="4" fill="#e5e9ee" />
    <rect x="16" y="199" width="64" height="4" fill="#e5e9ee" />
    <text x="16" y="288" font-size="6.5" fill="#5c6875">${footer}</text>
    ${
      isPro
        ? null
        : html`<text
            x="120"
            y="166"
            font-size="30"
            font-weight="700"
            text-anchor="middle"
            fill="#5c6875"
            fill-opacity="0.25"
            transform="rotate(-35 120 160)"
          >
            FREE
          </text>`
    }
  </svg>`;
}

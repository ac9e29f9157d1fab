import { type Html, html } from '../domain/html.ts';
import { can, type Permission, type Role } from '../domain/permissions.ts';
import { type Feature, hasFeature, type Plan } from '../domain/plans.ts';

/** What the frame shows of the signed-in user. A caller of the API is one. */
export interface Visitor {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly plan: Plan;
  readonly isVerified: boolean;
}

interface Entry {
  readonly path: string;
  readonly label: string;
  readonly needs?: Permission;
  /** Of PRO: on FREE the entry says so, and its page explains the benefit. */
  readonly feature?: Feature;
}

/** The pages that the navigation leads to, in groups. */
const NAVIGATION: readonly { readonly label: string | null; readonly entries: readonly Entry[] }[] = [
  {
    label: null,
    entries: [
      { path: '/app', label: 'Inicio' },
      { path: '/app/quotes', label: 'Cotizaciones', needs: 'quotes:read' },
      { path: '/app/clients', label: 'Clientes', needs: 'clients:read' },
      { path: '/app/products', label: 'Productos', needs: 'products:read' },
      { path: '/app/templates', label: 'Plantillas', feature: 'templates' },
      { path: '/app/imports', label: 'Importar', needs: 'clients:manage' },
      { path: '/app/notifications', label: 'Notificaciones' },
      { path: '/app/pipeline', label: 'Embudo', needs: 'pipeline:view', feature: 'pipeline' },
      { path: '/app/dashboard', label: 'Indicadores', needs: 'dashboard:view', feature: 'dashboard' },
    ],
  },
  {
    label: 'Negocio',
    entries: [
      { path: '/app/team', label: 'Equipo', needs: 'collaborators:manage', feature: 'collaborators' },
      { path: '/app/audit-log', label: 'Registro de cambios', needs: 'config:manage', feature: 'audit_log_ui' },
      { path: '/app/settings', label: 'Ajustes', needs: 'config:manage' },
    ],
  },
  {
    label: 'Conexiones',
    entries: [
      { path: '/app/automations', label: 'Automatizaciones', needs: 'config:manage', feature: 'automations' },
      { path: '/app/webhooks', label: 'Webhooks', needs: 'config:manage', feature: 'webhooks' },
    ],
  },
  {
    label: 'Cuenta',
    entries: [
      { path: '/app/api-keys', label: 'Claves de API' },
      { path: '/app/account', label: 'Su cuenta' },
    ],
  },
];

const isOpen = ({ needs }: Entry, role: Role): boolean => needs === undefined || can(role, needs);

/** On a phone a `details` element before it folds the navigation, without a script. */
export function navigation(visitor: Visitor, path: string): Html {
  const groups = NAVIGATION.map((group) => ({
    ...group,
    entries: group.entries.filter((entry) => isOpen(entry, visitor.role)),
  })).filter(({ entries }) => entries.length > 0);
  return html`<header class="side">
    <a class="wordmark" href="/app">Cotizaciones</a>
    <details class="menu">
      <summary><span class="menu-mark" aria-hidden="true"></span>Menú</summary>
    </details>
    <div class="menu-body">
      <nav aria-label="Principal">
        ${groups.map(
          ({ label, entries }) =>
            html`${label === null ? null : html`<p class="nav-group">${label}</p>`}
              <ul>
                ${entries.map((entry) => link(entry, visitor, path))}
              </ul>`,
        )}
      </nav>
      <div class="who">
        <p class="who-name">${visitor.name}</p>
        <p class="who-mail">${visitor.email}</p>
        <form method="post" action="/logout">
          <button class="button button-quiet" type="submit">Cerrar sesión</button>
        </form>
      </div>
    </div>
  </header>`;
}

function link({ path: to, label, feature }: Entry, { plan }: Visitor, path: string): Html {
  const isCurrent = to === '/app' ? path === to : path === to || path.startsWith(`${to}/`);
  const isLocked = feature !== undefined && !hasFeature(plan, feature);
  return html`<li>
    <a href="${to}" ${isCurrent ? html`aria-current="page"` : null}
      >${label}${isLocked ? html` <span class="pro">PRO</span>` : null}</a
    >
  </li>`;
}

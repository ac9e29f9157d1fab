/** A group of operations in the reference. Generated clients name modules after it. */
interface Tag {
  /** The name that people see, in Spanish. */
  readonly displayName: string;
  readonly description: string;
}

/** The tags of the routes, in the order of the reference. */
const TAGS: Readonly<Record<string, Tag>> = {
  Authentication: {
    displayName: 'Acceso',
    description: 'Registration, sign-in, sign-out and single-use links by mail.',
  },
  'API keys': {
    displayName: 'Claves de API',
    description: 'Credentials of integrations. A key has the permissions of the user who created it.',
  },
  Collaborators: { displayName: 'Colaboradores', description: 'The members of the business.' },
  Clients: {
    displayName: 'Clientes',
    description: 'Who receives quotes. DELETE deactivates a client; its quotes remain.',
  },
  Products: {
    displayName: 'Productos',
    description: 'The catalogue. A line copies the price, so a change of a product does not change quotes.',
  },
  Imports: {
    displayName: 'Importaciones',
    description: 'Clients and products from a CSV or XLSX file: all rows or none.',
  },
  Quotes: { displayName: 'Cotizaciones', description: 'The life cycle: create, share, revise, duplicate and close.' },
  Pipeline: { displayName: 'Embudo', description: 'All quotes by status, for a board.' },
  Dashboard: { displayName: 'Tablero', description: 'Figures of the business in a period.' },
  'Audit log': { displayName: 'Bitácora', description: 'Who did what, and when.' },
  Business: { displayName: 'Negocio', description: 'Data, taxes, branding and logo of the business.' },
  Notifications: { displayName: 'Notificaciones', description: 'Notifications inside the service.' },
  Reminders: { displayName: 'Recordatorios', description: 'Reminders that automations create.' },
  Labels: { displayName: 'Etiquetas', description: 'Coloured labels on quotes.' },
  Templates: { displayName: 'Plantillas', description: 'Lines and terms that recur.' },
  Automations: { displayName: 'Automatizaciones', description: 'Actions that run when something happens to a quote.' },
  Webhooks: { displayName: 'Webhooks', description: 'Signed calls to other systems, and the events that they carry.' },
  Connector: { displayName: 'Conector', description: 'Routes for automation platforms such as Zapier, Make and n8n.' },
  'Client portal': {
    displayName: 'Portal del cliente',
    description: 'A quote as its client sees it. The link is the only credential.',
  },
};

/** The `tags` section for these names, in the order of the reference. Throws for a name without a description. */
export function tagsSection(names: readonly string[]): readonly object[] {
  const used = new Set(names);
  const unknown = [...used].filter((name) => !Object.hasOwn(TAGS, name));
  if (unknown.length > 0) throw new Error(`tags without a description: ${unknown.join(', ')}`);
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, { displayName, description }]) => ({ name, 'x-displayName': displayName, description }));
}

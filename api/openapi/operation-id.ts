import type { Route } from '../route.ts';

/** post_quotes_id_share: stable, and unique because method and path are. */
export const operationId = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  [method.toLowerCase(), ...path.split('/').slice(2)].join('_').replace(/[^\w]+/g, '');

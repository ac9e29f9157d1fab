import type { AddPages } from '../../api/app.ts';
import { sinkRoutes } from '../sink/routes.ts';
import { devRoutes } from './routes.ts';

/** The page /dev and the webhook sinks. The production entry does not import them. */
export const addDevPages: AddPages = (pages, { config }) => {
  devRoutes(pages, config);
  sinkRoutes(pages);
};

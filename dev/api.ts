import { serveApi } from '../api/serve.ts';
import { addDevPages } from './pages/add-dev-pages.ts';

// The API process of `npm start`: the same API, with pages for development.
await serveApi(addDevPages);

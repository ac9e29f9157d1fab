import { writeFileSync } from 'node:fs';
import { envExample } from '../adapters/config.ts';

// `npm run env:example`: every setting with its meaning and default, from the schema that checks them.
writeFileSync(new URL('../.env.example', import.meta.url), envExample());

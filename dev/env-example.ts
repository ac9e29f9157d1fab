import { writeFileSync } from 'node:fs';
import { envExample } from '../adapters/config.ts';

// `npm run env:example`: writes every setting with its meaning and default, from their schema.
writeFileSync(new URL('../.env.example', import.meta.url), envExample());

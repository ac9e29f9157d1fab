import { defineApp, version as platformVersion } from 'zapier-platform-core';
import { authentication } from './authentication.ts';
import { creates } from './creates.ts';
import { searches } from './searches.ts';
import { triggers } from './triggers.ts';
import manifest from './package.json' with { type: 'json' };

// oxlint-disable-next-line import/no-default-export -- Zapier takes an app as a module's default export only
export default defineApp({ version: manifest.version, platformVersion, authentication, triggers, creates, searches });

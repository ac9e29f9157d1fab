import { builtBundlePath, writeBundle } from './workflow-bundle.ts';

// The last step of `npm run build`: the workflow code for production workers, beside the compiled code.
for (const isTraced of [false, true]) await writeBundle(builtBundlePath({ isTraced }), { isTraced });

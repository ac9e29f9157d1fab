import { createImages } from '../../adapters/images/images.ts';
import { endlessSvg } from './image-files.ts';
import { TEST_PERMIT } from './test-permit.ts';

// Starts an endless drawing; the test that started this process kills it.
await createImages().logo(endlessSvg(), TEST_PERMIT);

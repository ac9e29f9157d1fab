import { createImages } from '../../adapters/images/images.ts';
import { endlessSvg } from './image-files.ts';
import { OWN_TURN } from './own-turn.ts';

// Starts an endless drawing; the test that started this process kills it.
await createImages().logo(endlessSvg(), OWN_TURN);

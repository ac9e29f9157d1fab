import { answerJob } from '../child-process/answer-job.ts';
import { drawSvg } from './svg-draw.ts';

/** A child process that reads and draws one SVG. Its parent does not parse the file. */

/** Milliseconds of CPU time for a drawing. */
const DRAW_MS = 5_000;

answerJob(DRAW_MS, drawSvg);

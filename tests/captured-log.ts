import { Writable } from 'node:stream';
import { createLog, type Log, type LogOptions } from '../adapters/log.ts';

/** A log whose lines can be read, each as it was written. */
export function capturedLog(level: LogOptions['level'] = 'info'): { readonly lines: string[]; readonly log: Log } {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { lines, log: createLog({ level, name: 'test' }, destination) };
}

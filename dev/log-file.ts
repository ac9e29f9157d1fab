import fs from 'node:fs';

/** Reads whole lines of a log that another process writes. */
export interface LogFile {
  /** The last lines at present; later lines are returned by `more`. */
  last(count: number): readonly string[];
  /** The lines added since the last call. */
  more(): readonly string[];
}

/** The size of the file's end that is searched for the last lines. */
const END_BYTES = 1 << 20;

/** A log that may not exist yet, and may be rotated at any time. */
export function logFile(file: string): LogFile {
  let inode: number | undefined;
  let position = 0;
  let rest = Buffer.alloc(0);

  function read(from?: number): readonly string[] {
    let fd: number;
    try {
      fd = fs.openSync(file, 'r');
    } catch {
      return [];
    }
    try {
      const { ino, size } = fs.fstatSync(fd);
      if (ino !== inode || size < position) [inode, position, rest] = [ino, 0, Buffer.alloc(0)];
      if (from !== undefined) position = Math.max(0, size - from);
      const isCut = from !== undefined && position > 0;
      const bytes = Buffer.alloc(size - position);
      const count = fs.readSync(fd, bytes, 0, bytes.length, position);
      position += count;
      const all = Buffer.concat([rest, bytes.subarray(0, count)]);
      const end = all.lastIndexOf('\n') + 1;
      rest = all.subarray(end);
      // Reading from inside the file may begin in the middle of a line.
      const begin = isCut ? all.indexOf('\n') + 1 : 0;
      return all.subarray(begin, end).toString('utf8').split('\n').filter(Boolean);
    } finally {
      fs.closeSync(fd);
    }
  }

  return {
    last: (count) => read(END_BYTES).slice(-count),
    more: () => read(),
  };
}

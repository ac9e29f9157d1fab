const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Whether JSON text nests lists and objects deeper than `levels`. Scans the text without allocating; JSON.parse has no
 * limit.
 */
export function isDeeperThan(levels: number, json: string): boolean {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < json.length; i += 1) {
    const code = json.charCodeAt(i);
    if (inText) {
      if (code === BACKSLASH) i += 1;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (OPENING.has(code)) {
      depth += 1;
      if (depth > levels) return true;
    } else if (CLOSING.has(code)) depth -= 1;
  }
  return false;
}

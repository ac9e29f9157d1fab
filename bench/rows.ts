import { row as audit } from './audit.bench.ts';
import { row as chain } from './chain.bench.ts';
import { row as consoleRow } from './console.bench.ts';
import { row as create } from './create.bench.ts';
import { row as dashboard } from './dashboard.bench.ts';
import { row as deliveries } from './deliveries.bench.ts';
import { row as docs } from './docs.bench.ts';
import { row as growth } from './growth.bench.ts';
import { row as hostile } from './hostile.bench.ts';
import type { Row } from './lib/row.ts';
import { row as importRow } from './import.bench.ts';
import { row as list } from './list.bench.ts';
import { row as login } from './login.bench.ts';
import { row as memory } from './memory.bench.ts';
import { row as pdf } from './pdf.bench.ts';
import { row as pipeline } from './pipeline.bench.ts';
import { row as rich } from './rich.bench.ts';
import { row as stall } from './stall.bench.ts';
import { row as start } from './start.bench.ts';

/** Every row of docs/performance.md, in its order. */
export const ROWS: readonly Row[] = [
  chain,
  list,
  growth,
  consoleRow,
  create,
  rich,
  pdf,
  stall,
  deliveries,
  dashboard,
  pipeline,
  audit,
  importRow,
  login,
  hostile,
  docs,
  start,
  memory,
];

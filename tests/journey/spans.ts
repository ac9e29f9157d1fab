import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as an OTLP/HTTP receiver gets it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly service: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** All of it as text. */
  readonly text: string;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: string | number;
}
interface Attribute {
  readonly key: string;
  readonly value: Value;
}
interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number };
}
interface Wire {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

const ERROR = 2;

/** A receiver that stores traces in memory. */
export async function spanReceiver() {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') spans.push(...received(JSON.parse(Buffer.concat(chunks).toString()) as Wire));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // The port is known once the server listens.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans: spans as readonly ReceivedSpan[],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const received = ({ resourceSpans }: Wire): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(membersOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        ...(span.parentSpanId && { parentSpanId: span.parentSpanId }),
        name: span.name,
        service,
        startMs: milliseconds(span.startTimeUnixNano),
        durationMs: milliseconds(span.endTimeUnixNano) - milliseconds(span.startTimeUnixNano),
        attributes: membersOf(span.attributes),
        isError: span.status.code === ERROR,
        text: JSON.stringify(span),
      })),
    );
  });

const membersOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

const milliseconds = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000n) / 1_000;

/** Names from a span up to the root of its trace. */
export function pathToRoot(spans: readonly ReceivedSpan[], from: ReceivedSpan): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const names: string[] = [];
  for (let at: ReceivedSpan | undefined = from; at; at = byId.get(at.parentSpanId ?? '')) names.push(at.name);
  return names;
}

const isStatement = ({ name }: ReceivedSpan): boolean => name.startsWith('pg.query') || name.startsWith('pg.connect');

/** A trace as a tree, one line per span: name, process, duration. Statements of one span are counted together. */
export function treeOf(spans: readonly ReceivedSpan[]): string {
  const below = (parent: string | undefined) =>
    spans.filter(({ parentSpanId }) => parentSpanId === parent).toSorted((a, b) => a.startMs - b.startMs);
  const lines: string[] = [];
  const draw = (span: ReceivedSpan, indent: string, branch: string, next: string) => {
    const children = below(span.spanId);
    const statements = children.filter(isStatement);
    const took = `${Math.max(1, Math.round(span.durationMs))} ms`;
    const sql = statements.length > 0 ? `, ${statements.length} SQL` : '';
    lines.push(`${indent}${branch}${span.name}  (${span.service.replace('quoting-', '')}, ${took}${sql})`);
    const rest = children.filter((child) => !isStatement(child));
    for (const [i, child] of rest.entries()) {
      const isLast = i === rest.length - 1;
      draw(child, indent + next, isLast ? '└─ ' : '├─ ', isLast ? '   ' : '│  ');
    }
  };
  for (const root of below(undefined)) draw(root, '', '', '');
  return lines.join('\n');
}

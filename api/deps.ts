import type { Passwords } from '../adapters/crypto/passwords.ts';
import type { SecretBox } from '../adapters/crypto/secret-box.ts';
import type { SessionCookies } from '../adapters/crypto/session-cookie.ts';
import type { ApiConfig } from '../adapters/config.ts';
import type { Images } from '../adapters/images/images.ts';
import type { Log } from '../adapters/log.ts';
import type { ApiMetrics } from '../adapters/metrics/metrics.ts';
import type { FairOutboundHttp } from '../adapters/outbound-http/fair.ts';
import type { PdfRenderer } from '../adapters/pdf/renderer.ts';
import type { Spreadsheets } from '../adapters/spreadsheets/spreadsheets.ts';
import type { Storage } from '../adapters/storage.ts';
import type { PipelinedRead, WithPipeline } from '../db/pipeline.ts';
import type { Lookups } from '../db/reads/lookups.ts';
import type { Members } from '../db/reads/members.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import type { ReportLoss } from '../adapters/signed-pdf.ts';
import type { SignInThrottle } from './auth/sign-in-throttle.ts';
import type { Draining } from './draining.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Readiness } from './readiness.ts';
import type { Streams } from './streams.ts';
import type { Workflows } from './temporal.ts';
import type { WorkflowExecutions } from './workflow-executions.ts';

/** Dependencies of request handlers, created once by `compose.ts`. */
export interface Deps {
  readonly config: ApiConfig;
  readonly log: Log;
  /** The clock for creation, expiry and acceptance of quotes. */
  readonly now: () => Date;
  readonly apiMetrics: ApiMetrics;
  readonly withTenant: WithTenant;
  /** Queries of hot paths; all other access goes through `withTenant`. */
  readonly pipelinedRead: PipelinedRead;
  readonly withPipeline: WithPipeline;
  readonly lookups: Lookups;
  readonly members: Members;
  readonly passwords: Passwords;
  readonly cookies: SessionCookies;
  readonly secrets: SecretBox;
  readonly pdf: PdfRenderer;
  readonly images: Images;
  readonly spreadsheets: Spreadsheets;
  readonly storage: Storage;
  /** Reports signed documents that are missing or altered in storage. */
  readonly reportLoss: ReportLoss;
  /** The only HTTP client for URLs of users. */
  readonly outbound: FairOutboundHttp;
  readonly workflows: Workflows;
  readonly workflowExecutions: WorkflowExecutions;
  readonly rateLimits: RateLimits;
  readonly signInThrottle: SignInThrottle;
  /** Responses that are streamed from the database. */
  readonly streams: Streams;
  /** Set by SIGTERM. */
  readonly draining: Draining;
  readonly readiness: Readiness;
}

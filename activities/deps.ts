import type { SecretBox } from '../adapters/crypto/secret-box.ts';
import type { Log } from '../adapters/log.ts';
import type { Mailer } from '../adapters/mail/transport.ts';
import type { OutboundHttp } from '../adapters/outbound-http/client.ts';
import type { PdfRenderer } from '../adapters/pdf/renderer.ts';
import type { ReportLoss } from '../adapters/signed-pdf.ts';
import type { Storage } from '../adapters/storage.ts';
import type { WithTenant } from '../db/with-tenant.ts';
import type { MailQuota } from '../domain/mail-quota.ts';
import type { ActivityPermits } from './permits.ts';

/** Dependencies of activities, created once by the worker; each factory takes those that it needs. */
export interface ActivityDeps {
  readonly withTenant: WithTenant;
  readonly storage: Storage;
  readonly reportLoss: ReportLoss;
  readonly pdf: PdfRenderer;
  readonly mailer: Mailer;
  readonly log: Log;
  /** MAIL_FROM; its host is the right-hand side of Message-IDs. */
  readonly mailFrom: string;
  readonly mailQuota: MailQuota;
  /** Opens the tokens of clients' links. */
  readonly secrets: SecretBox;
  /** PUBLIC_URL. */
  readonly publicUrl: string;
  readonly outbound: OutboundHttp;
  readonly permits: ActivityPermits;
}

import { Model, type Modifiers, type QueryBuilder, type RelationMappings } from 'objection';
import { Row } from './row.ts';
import type { Caller } from '../../domain/caller.ts';
import type { DecimalString } from '../../domain/money.ts';
import { can } from '../../domain/permissions.ts';
import type { QuoteStatus } from '../../domain/quote-status.ts';
import { Client } from './client.ts';
import { QuoteAttachment } from './quote-attachment.ts';
import { QuoteItem } from './quote-item.ts';
import { User } from './user.ts';

/** Column types are those that pg returns. */
export class Quote extends Row {
  static override readonly tableName = 'quotes';

  declare id: string;
  declare tenantId: string;
  declare quoteNumber: number; //             unique per tenant, from 1, without gaps
  declare version: number; //                 incremented by revise
  declare status: QuoteStatus; //             text + check
  declare clientId: string;
  declare clientContactName: string; //       the client's name when the quote was first sent
  declare clientCompanyName: string | null;
  declare formerClientNames: string | null; // the two names above, once the client has others; searched too
  declare userId: string; //                  creator
  declare currency: string; //                ISO 4217
  declare taxRate: DecimalString; //          numeric(5,4), frozen
  declare subtotal: DecimalString; //         numeric(18,3)
  declare tax: DecimalString; //              numeric(18,3)
  declare shippingCost: DecimalString; //     numeric(18,3)
  declare total: DecimalString; //            numeric(18,3)
  declare discountPct: DecimalString; //      numeric(7,4), of the document
  declare discount: DecimalString; //         numeric(24,3), what both discounts take
  declare taxes: string | null; //            JSON: TaxOfQuote[]; null = the default tax
  declare shippingTaxes: string | null; //    codes, separated by commas; null = untaxed
  declare displayNumber: string | null; //    unique per tenant; null = COT-<quoteNumber>
  declare title: string | null;
  declare reference: string | null; //        the client's own number
  declare terms: string | null;
  declare internalNotes: string | null; //    never shown to clients
  declare deposit: string | null; //          JSON: Deposit
  declare metadata: string | null; //         JSON: Metadata
  declare notes: string;
  declare expiresAt: Date; //                 timestamptz
  declare announcedExpiry: Date | null; //    the expiry of which quote.expired was recorded
  declare publicTokenHash: string; //         SHA-256, hex
  declare publicTokenSealed: string; //       encrypted, for the mail and the link
  declare linkWithheld: boolean; //           of another client than before, and not shared since
  declare viewCount: number; //               at most one an hour for each address and session
  declare answeredAt: Date | null; //         when the client accepted or rejected it
  declare rejectionReason: string | null; //  the client's words
  declare signerName: string | null; //       of the client's acceptance
  declare signerEmail: string | null;
  declare sharedAt: Date | null; //           the last share; follow-ups count from it
  declare sharedVersion: number | null;
  declare shareId: string | null; //          its Message-ID follows from it
  declare remindersStoppedAt: Date | null; // when the client stopped automatic mails
  declare createdAt: Date;
  declare updatedAt: Date; //               of what its reminders depend on
  declare changedAt: Date; //               set by a trigger; callers read it as updatedAt

  declare items?: QuoteItem[];
  declare attachments?: QuoteAttachment[]; //  of the current version
  declare client?: Client;
  declare user?: User;

  static override readonly modifiers: Modifiers<QueryBuilder<Quote>> = {
    // Owners see all quotes of their business, collaborators their own.
    visibleTo(query, caller: Caller) {
      void query.where('quotes.tenantId', caller.tenantId);
      if (!can(caller.role, 'quotes:read_all')) void query.where('quotes.userId', caller.userId);
    },
  };

  static override readonly relationMappings: RelationMappings = {
    items: {
      relation: Model.HasManyRelation,
      modelClass: QuoteItem,
      modify: (query) => void query.orderBy('position'),
      join: { from: ['quotes.tenantId', 'quotes.id'], to: ['quoteItems.tenantId', 'quoteItems.quoteId'] },
    },
    attachments: {
      relation: Model.HasManyRelation,
      modelClass: QuoteAttachment,
      modify: (query) => void query.whereNull('untilVersion').orderBy('position'),
      join: {
        from: ['quotes.tenantId', 'quotes.id'],
        to: ['quoteAttachments.tenantId', 'quoteAttachments.quoteId'],
      },
    },
    client: {
      relation: Model.BelongsToOneRelation,
      modelClass: Client,
      join: { from: ['quotes.tenantId', 'quotes.clientId'], to: ['clients.tenantId', 'clients.id'] },
    },
    user: {
      relation: Model.BelongsToOneRelation,
      modelClass: User,
      join: { from: ['quotes.tenantId', 'quotes.userId'], to: ['users.tenantId', 'users.id'] },
    },
  };
}

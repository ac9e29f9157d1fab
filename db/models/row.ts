import { Model } from 'objection';

/** What all models have in common. */
export class Row extends Model {
  // Relations are fetched one after the other: a transaction has one connection, and it takes one query at a time.
  static readonly concurrency = 1;
}

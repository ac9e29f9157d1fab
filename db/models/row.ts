import { Model } from 'objection';

/** The base of all models. */
export class Row extends Model {
  // Relations are fetched sequentially: a transaction has one connection, which runs one query at a time.
  static readonly concurrency = 1;
}

import { Row } from './row.ts';

/** The second factor of a user: RFC 6238 codes from a shared secret. */
export class TwoFactor extends Row {
  static override readonly tableName = 'twoFactors';
  static override readonly idColumn = ['tenantId', 'userId'];

  declare userId: string;
  declare tenantId: string;
  declare secretSealed: string;
  declare enabledAt: Date | null; //     null until the user proved to have stored the secret
  declare lastStep: string | null; //    bigint: the last step whose code was used
  declare failures: number; //           wrong codes since failuresSince
  declare failuresSince: Date | null;
  declare createdAt: Date;
}

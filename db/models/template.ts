import { Model, type RelationMappings } from 'objection';
import { Row } from './row.ts';
import type { DecimalString } from '../../domain/money.ts';
import { User } from './user.ts';

/** Lines and settings from which quotes are made. */
export class Template extends Row {
  static override readonly tableName = 'templates';

  declare id: string;
  declare tenantId: string;
  declare userId: string; //                creator
  declare name: string;
  declare description: string | null;
  declare items: string; //                 JSON: TemplateItem[]
  declare notes: string | null; //          null = the business's notes, "" = none
  declare shippingCost: DecimalString; //   numeric(18,3)
  declare currency: string; //              up to 10 characters; ISO 4217 once it becomes a quote
  declare document: string | null; //       JSON: TemplateDocument
  declare isActive: boolean; //             false after DELETE
  declare createdAt: Date;
  declare updatedAt: Date;

  declare creator?: User;

  static override readonly relationMappings: RelationMappings = {
    creator: {
      relation: Model.BelongsToOneRelation,
      modelClass: User,
      join: { from: ['templates.tenantId', 'templates.userId'], to: ['users.tenantId', 'users.id'] },
    },
  };
}

import type { MessageWithMail } from '../../db/reads/messages.ts';
import type { ResponseBody } from '../schema.ts';
import type { MessageBody } from './schema.ts';

/** A message in responses. */
export const messageBody = (message: MessageWithMail): ResponseBody<typeof MessageBody> => ({
  id: message.id,
  direction: message.direction,
  author: { name: message.authorName, email: message.authorEmail },
  body: message.body,
  version: message.version,
  createdAt: message.createdAt.toISOString(),
  mailStatus: message.mailStatus,
});

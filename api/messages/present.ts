import type { MessageWithMail } from '../../db/reads/messages.ts';

/** A message in responses. */
export const messageBody = (message: MessageWithMail) => ({
  id: message.id,
  direction: message.direction,
  author: { name: message.authorName, email: message.authorEmail },
  body: message.body,
  version: message.version,
  createdAt: message.createdAt.toISOString(),
  mailStatus: message.mailStatus,
});

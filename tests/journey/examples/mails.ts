import assert from 'node:assert/strict';
import { eventually } from '../../eventually.ts';
import { testStack } from '../../stack.ts';

/** The token of the newest mail to this address, once there is one, and after another one. */
export async function tokenMailedTo(address: string, { after }: { after?: string } = {}): Promise<string> {
  const { inbox } = await testStack();
  return eventually(async () => {
    const [mail] = (await inbox.messages()).filter(({ to }) => to.includes(address));
    const [, token] = /\?token=([\w-]{43})\n/.exec(mail?.text ?? '') ?? [];
    assert.ok(token !== undefined && token !== after, `no mail with a new token to ${address}`);
    return token;
  });
}

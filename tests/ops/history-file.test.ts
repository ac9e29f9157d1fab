import assert from 'node:assert/strict';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { historyText, kebab, personalData } from '../../ops/history-file.ts';

const payload = (value: unknown) => ({
  metadata: { encoding: Buffer.from('json/plain').toString('base64') },
  data: Buffer.from(JSON.stringify(value)).toString('base64'),
});

/** A history of one event whose activity failed with such a result or message. */
const historyWith = (input: unknown, message = 'no'): string =>
  JSON.stringify({
    events: [
      { eventId: '1', workflowExecutionStartedEventAttributes: { input: { payloads: [payload(input)] } } },
      { eventId: '2', activityTaskFailedEventAttributes: { failure: { message } } },
    ],
  });

describe('a history that is kept', () => {
  const finds: readonly [string, unknown, string, readonly string[]][] = [
    ['ids, states and moments', { quoteId: 'ciic6rxzkqpndn2kim76v9fia', status: 'SENT', at: '2026-12-13T02:16:49.782Z' }, 'no', []],
    ['an address in an input', { quoteId: 'laura@palma.example' }, 'no', ['evento 1: una dirección de correo']],
    ['an address in a failure', {}, 'no mailbox <laura@palma.example>', ['evento 2: una dirección de correo']],
    ['a telephone', { to: ['+52 55 1234 5678'] }, 'no', ['evento 1: un teléfono']],
    ['a link, which may open something', {}, 'see https://cotiza.example/p/abc', ['evento 2: una dirección web']],
    ['a member that names somebody', { client: { contactName: 'Laura' } }, 'no', ['evento 1: el miembro contactName']],
  ]; // prettier-ignore
  for (const [what, input, message, expected] of finds) {
    it(`${expected.length === 0 ? 'may hold' : 'is refused for'} ${what}`, () => {
      assert.deepEqual(personalData(historyWith(input, message)), expected);
    });
  }

  it('a recorded history names neither the process nor the folders of the recording machine', () => {
    const text = historyText(
      historyFromJSON({
        events: [
          {
            eventId: '1',
            activityTaskFailedEventAttributes: {
              identity: '1234@laptop-de-ana',
              failure: { message: 'no', stackTrace: 'Error: no\n    at /home/ana/quoting/activities/mail.ts:3' },
            },
          },
          {
            eventId: '2',
            workflowTaskScheduledEventAttributes: { taskQueue: { name: '1234@laptop-de-ana-quotes-1' } },
          },
        ],
      }),
    );

    assert.doesNotMatch(text, /ana/);
    assert.match(text, /"identity": "quoting"/);
  });

  it('is named after its workflow', () => {
    assert.deepEqual(['quoteLifecycle', 'remind'].map(kebab), ['quote-lifecycle', 'remind']);
  });
});

import assert from 'node:assert/strict';
import { capturedLog } from '../captured-log.ts';

const API_KEY = `svc_${'0123456789abcdef'.repeat(2)}deadbeef`;
const PLANTED = 'planted-Value-7';

/** A log and the lines that it wrote. */
function capture(level: 'info' | 'warn' = 'info') {
  const { lines, log } = capturedLog(level);
  return {
    log,
    text: () => lines.join(''),
    last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>,
  };
}

describe('createLog', () => {
  it('writes one JSON object with level, time, name, members and message', () => {
    const { log, last } = capture();

    log.info({ quoteId: 'c1', storageKey: 't-1/q.pdf' }, 'quote created');

    const { time, level, name, quoteId, storageKey, msg } = last();
    assert.deepEqual(
      { level, name, quoteId, storageKey, msg },
      { level: 'info', name: 'test', quoteId: 'c1', storageKey: 't-1/q.pdf', msg: 'quote created' },
    );
    assert.match(String(time), /^\d{4}-\d\d-\d\dT/);
  });

  it('writes nothing below its level', () => {
    const { log, text } = capture('warn');

    log.info('not this');

    assert.equal(text(), '');
  });

  // Every redacted name, each in some spelling; some in several.
  for (const member of [
    'authorization',
    'Authorization',
    'cookie',
    'set-cookie',
    'Set-Cookie',
    'password',
    'token',
    'publicToken',
    'public_token',
    'session-token',
    'access_token',
    'secret',
    'secrets',
    'key',
    'apiKey',
    'secretAccessKey',
    'signature',
    'detail',
    'where',
    'internalQuery',
    'bindings',
    'parameters',
    'html',
    'text',
    'body',
    'subject',
    'attachments',
  ]) /* prettier-ignore */ {
    it(`drops the value of ${member} at the top, deep inside, in lists and in child logs`, () => {
      const { log, text } = capture();

      log.info({ [member]: PLANTED, deep: { er: [{ [member]: [PLANTED] }] } }, 'planted');
      log.child({ [member]: PLANTED, request: { headers: { [member]: PLANTED } } }).warn('planted');
      log.error({ err: Object.assign(new Error('failed'), { config: { [member]: PLANTED } }) });

      assert.doesNotMatch(text(), new RegExp(PLANTED));
      assert.equal(text().split('[redacted]').length, 6);
    });
  }

  it('masks an API key anywhere: message, member, child log, error, cause and stack', () => {
    const { log, text } = capture();

    log.info(`called with ${API_KEY}`);
    log.info({ note: `x ${API_KEY} y`, list: [API_KEY], [API_KEY]: 1 }, 'called with %s', API_KEY);
    log.child({ caller: API_KEY }).info('called');
    log.error(new Error(`no such key ${API_KEY}`, { cause: new Error(API_KEY) }));

    assert.doesNotMatch(text(), /0123456789abcdef/);
    assert.match(text(), /called with svc_\[redacted\]/);
  });

  it('masks passwords in addresses, bearer tokens, webhook secrets and links to a quote', () => {
    const { log, text } = capture();

    log.error(new Error(`connect failed: postgres://quoting_app:${PLANTED}@db:5432/quoting`));
    log.info(`smtp://user:${PLANTED}@mail:25 Bearer ${PLANTED}.${PLANTED} whsec_${PLANTED}${PLANTED}`);
    log.info({ url: `/p/${PLANTED.padEnd(43, 'x')}` });

    assert.doesNotMatch(text(), new RegExp(PLANTED));
    assert.match(text(), /postgres:\/\/quoting_app:\[redacted\]@db:5432/);
  });

  it('writes an error with type, message, stack, causes and code', () => {
    const { log, last } = capture();
    const error = Object.assign(new Error('insert failed', { cause: new Error('disk full') }), { code: '53100' });

    log.error(error);

    const { err, msg } = last() as { err: Record<string, string>; msg: string };
    assert.equal(msg, 'insert failed');
    assert.equal(err['type'], 'Error');
    assert.equal(err['code'], '53100');
    assert.match(err['stack'] ?? '', /log\.test\.ts[\s\S]*disk full/);
  });

  it('writes buffers as their size, and accepts cyclic references', () => {
    const { log, last } = capture();
    const circle: Record<string, unknown> = { pdf: Buffer.from(PLANTED) };
    circle['self'] = circle;

    log.info({ circle }, 'odd');

    const { circle: written } = last() as { circle: Record<string, unknown> };
    assert.equal(written['pdf'], `[${PLANTED.length} bytes]`);
    assert.match(JSON.stringify(written), /\[deep\]/);
  });
});

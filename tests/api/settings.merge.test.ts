import assert from 'node:assert/strict';
import * as build from './build.ts';
import { type Credential, type Service, service } from './service.ts';

describe('PUT /api/settings with some members of a nested setting', () => {
  let app: Service;
  before(async () => {
    app = await service();
  });
  const put = (owner: Credential, body: unknown) => app.request('PUT', '/api/settings', { headers: owner, body });

  const BANK = { bankName: 'Banco del Centro', clabe: '032180000118359719' };
  const BRANDING = { primaryColor: '#1F4E79', fontFamily: 'Times', headerLayout: 'left', footerText: 'Gracias' };

  async function withBoth() {
    const { owner } = await build.business();
    await put(owner, { bankInfo: BANK, pdfBranding: BRANDING });
    return owner;
  }

  const changes: readonly [what: string, body: object, bankInfo: object | null, pdfBranding: object | null][] = [
    ['keeps the CLABE when the bank changes', { bankInfo: { bankName: 'BBVA' } }, { ...BANK, bankName: 'BBVA' }, BRANDING],
    ['keeps the bank when the CLABE changes', { bankInfo: { clabe: '002010077777777771' } }, { ...BANK, clabe: '002010077777777771' }, BRANDING],
    ['keeps the other members when a colour changes', { pdfBranding: { accentColor: '#fff' } }, BANK, { ...BRANDING, accentColor: '#fff' }],
    ['changes both side by side', { bankInfo: { bankName: 'X1' }, pdfBranding: { fontFamily: 'Courier' } }, { ...BANK, bankName: 'X1' }, { ...BRANDING, fontFamily: 'Courier' }],
    ['removes a member by null', { bankInfo: { clabe: null } }, { bankName: BANK.bankName }, BRANDING],
    ['removes a member by ""', { pdfBranding: { footerText: '', fontFamily: '', primaryColor: '' } }, BANK, { headerLayout: 'left' }],
    ['removes a member by a text of which nothing can be seen', { bankInfo: { bankName: '\u200b ' } }, { clabe: BANK.clabe }, BRANDING],
    ['makes a setting without members null', { bankInfo: { bankName: null, clabe: '' } }, null, BRANDING],
    ['resets the whole by null', { pdfBranding: null }, BANK, null],
    ['changes nothing by an object without members', { bankInfo: {}, pdfBranding: {} }, BANK, BRANDING],
  ]; // prettier-ignore
  for (const [what, body, bankInfo, pdfBranding] of changes)
    it(what, async () => {
      const owner = await withBoth();

      const res = await put(owner, body);

      assert.equal(res.status, 200);
      assert.deepEqual([res.body.data.bankInfo, res.body.data.pdfBranding], [bankInfo, pdfBranding]);
      const read = await app.get('/api/settings', owner);
      assert.deepEqual([read.body.data.bankInfo, read.body.data.pdfBranding], [bankInfo, pdfBranding]);
    });

  it('audits the whole nested setting before and after', async () => {
    const owner = await withBoth();
    await put(owner, { bankInfo: { bankName: 'BBVA' } });

    const { body } = await app.get('/api/audit-logs?entity=tenant&action=update', owner);

    const { before, after } = body.data[0].metadata;
    assert.deepEqual([before, after], [{ bankInfo: BANK }, { bankInfo: { ...BANK, bankName: 'BBVA' } }]);
  });

  it('on FREE, members of pdfBranding can be removed but not set', async () => {
    const business = await build.business();
    await put(business.owner, { pdfBranding: BRANDING });
    await build.patchTenant(business, { plan: 'FREE' });

    const removed = await put(business.owner, { pdfBranding: { footerText: null, fontFamily: '' } });
    const changed = await put(business.owner, { pdfBranding: { footerText: null, fontFamily: 'Courier' } });

    assert.deepEqual(removed.body.data.pdfBranding, { primaryColor: '#1F4E79', headerLayout: 'left' });
    assert.deepEqual([changed.status, changed.body.error], [403, 'Función disponible en el plan Pro']);
  });
});

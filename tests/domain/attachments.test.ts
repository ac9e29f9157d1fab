import assert from 'node:assert/strict';
import { attachmentName } from '../../domain/attachments.ts';

describe('The name of an attachment', () => {
  for (const [what, given, name] of [
    ['folders are removed', '../../etc/passwd.pdf', 'passwd.pdf'],
    ['folders of Windows are removed', String.raw`C:\obra\plano.pdf`, 'plano.pdf'],
    ['reserved characters become hyphens', 'a<b>:"c|d?*.pdf', 'a-b---c-d--.pdf'],
    ['a line break becomes a space', 'a\r\nb.pdf', 'a b.pdf'],
    ['dots in front are removed', '..oculto.pdf', 'oculto.pdf'],
    ['another ending is followed by that of the type', 'plano.pdf.exe', 'plano.pdf.exe.pdf'],
    ['an ending of the type stays as written', 'Plano.PDF', 'Plano.PDF'],
    ['an empty name gets one', '', 'archivo.pdf'],
    ['120 characters stay, with the ending', `${'ñ'.repeat(130)}.pdf`, `${'ñ'.repeat(116)}.pdf`],
  ] as const) {
    it(`${what}: ${JSON.stringify(given.slice(0, 30))}`, () => {
      assert.equal(attachmentName(given, 'application/pdf'), name);
    });
  }
});

import assert from 'node:assert/strict';
import { type AnswerMailInput, composeAnswerMail } from '../../adapters/mail/answer-mail.ts';
import { messageIdOf } from '../../adapters/mail/quote-mail.ts';
import type { Answer } from '../../domain/answer.ts';
import { LOCALES } from '../../domain/locale.ts';
import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { drawingOf, line } from './pdf-drawings.ts';

const ACCEPTED: Answer = {
  outcome: 'ACCEPTED',
  at: '2026-03-12T18:04:00.000Z',
  version: 1,
  signerName: 'Jorge Núñez',
  signerEmail: 'jorge@cliente.test',
  reason: null,
};
const REJECTED: Answer = {
  ...ACCEPTED,
  outcome: 'REJECTED',
  signerName: null,
  signerEmail: null,
  reason: 'Encontramos\n\n--\nun <b>mejor</b> precio',
};
const PDF = Buffer.from('%PDF-1.7');

const compose = (input: Partial<AnswerMailInput> = {}, changes: Partial<QuoteDrawing> = {}) =>
  composeAnswerMail({
    kind: 'answer_member',
    answer: ACCEPTED,
    drawing: { ...drawingOf([line('Cemento', { unitPrice: '1000.00' })]), ...changes },
    to: { name: 'Diana Ruiz', address: 'diana@nunez.mx' },
    pdf: PDF,
    logo: null,
    messageId: messageIdOf('answer', 'cabc123', 'cotizaciones@nunez.mx'),
    ...input,
  });

describe('composeAnswerMail', () => {
  it('tells a member who signed and when, with the signed document; replies go to the client', () => {
    const { subject, text, html, to, replyTo, attachments, isAutomatic } = compose();

    assert.match(subject, /aceptó la cotización COT-12$/);
    assert.equal(to.address, 'diana@nunez.mx');
    assert.equal(replyTo?.address, drawingOf([]).client.email);
    assert.equal(isAutomatic, true);
    for (const part of [text, html]) {
      assert.match(part, /Hola, Diana Ruiz:/);
      assert.match(part, /12 de marzo de 2026, 12:04 \(UTC-6\)/);
      assert.match(part, /Jorge Núñez \(jorge@cliente\.test\)/);
    }
    assert.deepEqual(
      attachments.map(({ filename, content }) => [filename, content]),
      [['COT-12-firmada.pdf', PDF]],
    );
  });

  it('tells a member the reason of a rejection on one line, with its markup escaped, and attaches nothing', () => {
    const { subject, text, html, attachments } = compose({ answer: REJECTED, pdf: null });

    assert.match(subject, /rechazó la cotización COT-12$/);
    assert.match(text, /\nMotivo: Encontramos -- un <b>mejor<\/b> precio\n/);
    assert.match(html, /Encontramos -- un &lt;b&gt;mejor&lt;\/b&gt; precio/);
    assert.deepEqual(attachments, []);
  });

  it('aligns a long reason to the left, and a short one like the other values to the right', () => {
    const alignment = (reason: string) => {
      const { html } = compose({ answer: { ...REJECTED, reason }, pdf: null });
      return /align="(left|right)"[^>]*>\s*Caro/.exec(html)?.[1];
    };

    assert.deepEqual([alignment('Caro'), alignment('Caro '.repeat(20).trim())], ['right', 'left']);
  });

  it('sends the signer a copy to keep; replies go to the seller', () => {
    const to = { name: 'Jorge Núñez', address: 'jorge@cliente.test' };
    const { subject, text, replyTo, attachments } = compose({ kind: 'answer_signer', to });

    assert.match(subject, /^Su copia firmada de la cotización COT-12 de /);
    assert.match(text, /Hola, Jorge Núñez:[\s\S]*Ana Peña le atenderá/);
    assert.equal(replyTo?.name, 'Ana Peña');
    assert.equal(attachments.length, 1);
  });

  it('says that a client has no address, and replies go to the seller then', () => {
    const { client } = drawingOf([]);
    const { text, replyTo } = compose({}, { client: { ...client, email: null } });

    assert.match(text, /El cliente no tiene correo electrónico registrado\./);
    assert.equal(replyTo?.name, 'Ana Peña');
  });

  it('no line break in a name reaches the subject', () => {
    const { client } = drawingOf([]);
    const { subject } = compose({}, { client: { ...client, companyName: 'Acme\r\nBcc: x@y.test' } });

    assert.doesNotMatch(subject, /[\r\n]/);
  });

  for (const locale of LOCALES) {
    it(`has all of its words in ${locale}`, () => {
      const mails = [
        compose({}, { locale }),
        compose({ answer: REJECTED, pdf: null }, { locale }),
        compose({ kind: 'answer_signer' }, { locale }),
      ];

      const words = { 'es-MX': /cotización/, 'en-US': /quote/, 'pt-BR': /orçamento/ }[locale];
      for (const { subject, text } of mails) {
        assert.match(subject, words);
        assert.match(text, words);
        assert.doesNotMatch(text, /undefined|null|\[object/);
      }
    });
  }
});

import { fullStopAfter } from '../../full-stop.ts';
import type { MailTexts } from '../es-MX/mail.ts';

/** Texts of mails, in Brazilian Portuguese. */
export const mail = {
  greeting: (name) => `Olá, ${name},`,
  greetingToAll: 'Olá,',
  versionSuffix: (version) => ` (versão ${version})`,
  taxIdOfClient: (label) => `${label} do cliente`,
  viewQuote: 'Ver orçamento',
  closing: (seller) => `Tem alguma dúvida ou deseja uma alteração? Responda a este e-mail e ${seller} atenderá você.`,
  share: {
    subject: (label, business, total) => `Orçamento ${label} de ${business}: ${total}`,
    preheader: (total, until) => `Total ${total}. Válido até ${until}.`,
    withPage:
      'Enviamos o orçamento que preparamos para você. Você pode vê-lo e respondê-lo online; ele também está anexo em PDF.',
    withoutPage: 'Enviamos o orçamento que preparamos para você. Ele está anexo em PDF.',
    chat: (label, business) => `Orçamento ${label} de ${business}:`,
  },
  expiry: {
    subject: (label, business, until) => `O orçamento ${label} de ${business} vence em ${until}`,
    preheader: (total) => `Total ${total}. Depois dessa data, os preços podem mudar.`,
    introduction: (label, total, until) =>
      `Lembramos que o orçamento ${label}, no valor de ${total}, é válido até ${until}.`,
    answerOnline: ' Você pode vê-lo e respondê-lo online.',
  },
  answer: {
    preheader: (total) => `Total ${total}.`,
    accepted: (label, client) => ({
      subject: `${client} aceitou o orçamento ${label}`,
      introduction: `${client} aceitou e assinou o orçamento ${label}. O documento assinado está anexo em PDF.`,
    }),
    rejected: (label, client) => ({
      subject: `${client} recusou o orçamento ${label}`,
      introduction: `${client} recusou o orçamento ${label}.`,
    }),
    signed: (label, business) => ({
      subject: `Sua cópia assinada do orçamento ${label} de ${business}`,
      introduction: 'Você aceitou e assinou este orçamento. O documento assinado está anexo em PDF; guarde-o.',
    }),
    facts: { accepted: 'Aceito', rejected: 'Recusado', signer: 'Assinou', reason: 'Motivo' },
    memberClosing: (client) =>
      client === null
        ? 'O cliente não tem e-mail cadastrado.'
        : `Se você responder a este e-mail, a resposta vai para ${client}.`,
    fileSuffix: 'assinado',
  },
  followUp: {
    preheader: (total, until) => `Total ${total}. Continua válido até ${until}.`,
    introduction: (label, date) =>
      `Você conseguiu ver o orçamento ${label} de ${date}? Teremos prazer em esclarecer qualquer dúvida. Você pode vê-lo e respondê-lo online.`,
    stop: 'Não receber mais lembretes deste orçamento',
  },
  changeRequest: {
    subject: (client, label) => `${client} pediu alterações no orçamento ${label}`,
    introduction: (client, label, version) =>
      `${client} pediu alterações no orçamento ${label}, versão ${version}, pela página:`,
    typed: (signed) => `Quem escreveu informou estes dados, que não foram verificados: ${signed}`,
    closing: (client) => `Ao responder a este e-mail, você escreve para o endereço cadastrado de ${client}.`,
    withoutAddress: 'O cliente não tem e-mail cadastrado; responda por outro meio.',
  },
  account: {
    expiry: (life) => `O link vale uma única vez e por ${life} a partir da solicitação.`,
    token: 'Código, para usar pela API:',
    invitation: {
      subject: (business) => `${business} convida você para colaborar`,
      introduction: (business) =>
        `${business} convida você para preparar e enviar seus orçamentos. Escolha uma senha para entrar.`,
      button: 'Aceitar o convite',
      life: 'sete dias',
      closing: 'Se você não esperava este convite, ignore este e-mail: sem a sua resposta, nenhuma conta é aberta.',
    },
    email_verification: {
      subject: (business) => `Confirme seu e-mail para usar ${business}`,
      introduction: (business) =>
        `Alguém registrou ${business} com este endereço. Confirme-o para poder enviar orçamentos.`,
      button: 'Confirmar o e-mail',
      life: 'um dia',
      closing: 'Se não foi você, ignore este e-mail: sem a sua confirmação ninguém pode escrever em seu nome.',
    },
    password_reset: {
      subject: (business) => `Altere sua senha de ${business}`,
      introduction: (business) =>
        `Alguém solicitou a alteração da senha da sua conta em ${business}${fullStopAfter(business)}`,
      button: 'Alterar a senha',
      life: 'uma hora',
      closing: 'Se não foi você, ignore este e-mail: sua senha continua a mesma.',
    },
  },
  security: {
    when: (at, ip) => (ip === null ? `Aconteceu em ${at}.` : `Aconteceu em ${at}, de ${ip}.`),
    api_key_created: (business, key) => ({
      subject: `Nova chave de API de ${business}`,
      introduction: `Uma chave de API foi criada em seu nome em ${business}: ${key}.`,
      advice: 'Se não foi você, revogue-a e troque sua senha.',
    }),
    password_changed: (business) => ({
      subject: `Sua senha de ${business} foi trocada`,
      introduction: `A senha da sua conta em ${business} foi trocada. As outras sessões foram encerradas.`,
      advice: 'Se não foi você, peça agora um link para trocar a senha e avise o administrador.',
    }),
    two_factor_disabled: (business) => ({
      subject: `A verificação em duas etapas foi desativada em ${business}`,
      introduction: `Sua conta em ${business} não pede mais o código de verificação ao entrar.`,
      advice: 'Se não foi você, troque sua senha e ative-a de novo.',
    }),
    recovery_code_used: (business, left) => ({
      subject: `Um código de recuperação foi usado em ${business}`,
      introduction: `Alguém entrou na sua conta em ${business} com um código de recuperação. Restam ${left}.`,
      advice: 'Se não foi você, troque sua senha e renove os códigos.',
    }),
    owner_added: (business, owner) => ({
      subject: `${owner} agora é proprietário de ${business}`,
      introduction: `${owner} pode administrar tudo em ${business}: orçamentos, ajustes, pessoas e chaves.`,
      advice: 'Se você não esperava isso, revise as pessoas do negócio.',
    }),
  },
} satisfies MailTexts;

import { html } from '../../html.ts';
import type { PageTexts } from '../es-MX/page.ts';

/** Texts of the client's page, in Brazilian Portuguese. */
export const page = {
  language: 'Idioma',
  title: (label, business) => `Orçamento ${label} de ${business}`,
  skipToAnswer: 'Ir para a resposta',
  skipToQuote: 'Ir para o orçamento',
  lead: (business, client) => html`Preparado por ${business} para ${client}`,
  expiresToday: 'Vence hoje',
  expiresTomorrow: 'Vence amanhã',
  daysLeft: (days) => `Restam ${days} dias`,
  until: (date) => html`válido até ${date}`,
  download: 'Baixar PDF',
  downloadSigned: 'Baixar PDF assinado',
  accept: 'Aceitar',
  reject: 'Recusar',
  respond: 'Responder',
  questions: 'Dúvidas?',
  contact: (seller, email) => html`Escreva para ${seller} (${email})`,
  orCall: (phone) => html` ou ligue para ${phone}`,
  detail: 'Detalhes',
  caption: (currency) => `Itens do orçamento, valores em ${currency}`,
  copy: 'Copiar',
  copyWhat: (account) => ` a ${account}`,
  copied: 'Copiado',
  accountCopied: 'O número da conta foi copiado.',
  selection: {
    hint: 'Escolha o que deseja incluir: o total muda com a sua seleção.',
    update: 'Atualizar o total',
    failed:
      'Não conseguimos calcular o total e a sua seleção ficou como estava. Verifique sua conexão e tente novamente.',
    refused: {
      title: 'Esta seleção não pode ser aceita',
      text: 'A anterior foi mantida. Escolha outras opções ou escreva para quem preparou o orçamento.',
    },
  },
  form: {
    title: 'Sua resposta',
    name: 'Nome completo',
    email: 'E-mail',
    emailHint: 'Ele consta no comprovante de assinatura.',
    typedHint: 'Seu nome completo, como você o escreveu acima, vale como assinatura.',
    type: 'Digitar',
    draw: 'Desenhar',
    canvas: 'Espaço para desenhar sua assinatura com o dedo ou o mouse',
    clear: 'Apagar',
    clearWhat: ' a assinatura desenhada',
    accept: 'Aceitar orçamento',
    reject: 'Recusar o orçamento',
    reason: 'Motivo',
    optional: '(opcional)',
    confirmRejection: 'Confirmar a recusa',
    sending: 'Enviando…',
    notConfirmed:
      'Não conseguimos confirmar sua resposta. Verifique sua conexão e tente novamente: o que você escreveu continua ' +
      'aqui e sua resposta é registrada uma única vez.',
    checkThese: 'Verifique os itens a seguir; sua resposta ainda não foi registrada.',
    noSignature: 'Desenhe sua assinatura ou escolha digitá-la.',
    emailBeyondAscii: 'Antes da @ só são aceitas letras sem acento, como em jose@exemplo.com.',
    errors: {
      signerName: 'Informe seu nome completo.',
      signerEmail: 'Informe um e-mail válido, como nome@exemplo.com.',
      signature: 'Não conseguimos ler a assinatura desenhada. Desenhe-a novamente ou escolha digitá-la.',
      consent: 'Marque a caixa para aceitar.',
      reason: 'O motivo deve ter no máximo 1.000 caracteres.',
      changeMessage: 'Escreva o que deseja alterar, com no máximo 2.000 caracteres.',
      changeName: 'O nome deve ter no máximo 200 caracteres.',
      changeEmail: 'Digite um e-mail válido, como nome@exemplo.com, ou deixe o campo vazio.',
    },
  },
  changes: {
    title: 'Pedir alterações',
    message: 'O que você gostaria de alterar?',
    hint: 'O orçamento continua válido; se for alterado, você receberá uma nova versão.',
    name: 'Seu nome',
    email: 'Seu e-mail',
    emailHint: 'É mostrado apenas ao vendedor.',
    send: 'Enviar ao vendedor',
  },
  stop: {
    title: 'Não receber mais lembretes',
    text: (label, business) =>
      `${business} não enviará mais lembretes automáticos do orçamento ${label}. O orçamento continua como está.`,
    button: 'Deixar de receber lembretes',
    done: 'Você não receberá mais lembretes',
    doneText: (business) => `As mensagens que uma pessoa de ${business} escrever para você continuarão chegando.`,
    back: 'Ver o orçamento',
  },
  notices: {
    versionChanged: {
      title: 'A versão do orçamento mudou',
      text: (link) =>
        html`Enquanto você o analisava, chegou uma nova versão; nenhuma resposta foi registrada. ${link} e responda
        novamente.`,
      link: (version) => `Confira a versão ${version}`,
    },
    alreadyAnswered: {
      title: 'O orçamento já foi respondido',
      text: 'Sua nova resposta não foi registrada: vale a primeira.',
    },
    selectionChanged: {
      title: 'O total mudou com a sua seleção',
      text: 'Nenhuma resposta foi registrada ainda. Confira o total e aceite novamente.',
    },
    lapsed: {
      title: 'O orçamento venceu',
      text: 'Sua resposta chegou depois do vencimento e não foi registrada.',
    },
    unavailable: {
      title: 'Não conseguimos registrar sua resposta',
      text: 'O serviço não está disponível no momento. Seus dados continuam aqui: tente novamente em alguns minutos.',
    },
  },
  states: {
    changesRequested: (when) => html`Você pediu alterações em ${when}`,
    changesSent: 'O vendedor recebeu a sua mensagem. Enquanto isso, você pode responder ao orçamento como está.',
    accepted: 'Orçamento aceito',
    signedBy: (name, when) =>
      html`Assinado por ${name} em ${when}. Guarde o documento assinado; não é preciso fazer mais nada.`,
    acceptedAt: (when) => html`Foi aceito em ${when}. `,
    nothingLeft: 'Não é preciso fazer mais nada.',
    rejected: 'Orçamento recusado',
    rejectedAt: (when) => html`Foi recusado em ${when}. `,
    reason: (reason) => html`Motivo: “${reason}” `,
    changedYourMind: 'Mudou de ideia? ',
    expired: (when) => html`Este orçamento venceu em ${when}`,
    expiredText: 'Ele não pode mais ser aceito online. Ainda tem interesse? ',
    closed: 'Este orçamento está encerrado',
    closedText: 'Ele não pode mais ser respondido online. ',
  },
  messages: {
    notFound: {
      title: 'Orçamento não encontrado',
      paragraphs: [
        'O link não está correto ou não está mais ativo. O orçamento pode ter sido enviado novamente: use o link do e-mail mais recente.',
        'Se você copiou o link à mão, verifique se está completo. Se ainda assim não abrir, responda ao e-mail em que o recebeu.',
      ],
    },
    busy: { title: 'Muitas solicitações', paragraphs: ['Aguarde um momento e recarregue a página.'] },
    foreignOrigin: {
      title: 'Origem não permitida',
      paragraphs: [
        'A resposta não veio desta página e não foi registrada. Abra novamente o link do e-mail e responda por ele.',
      ],
    },
    unavailable: {
      title: 'Serviço indisponível',
      paragraphs: ['Não conseguimos exibir o orçamento. Tente novamente em alguns minutos; o link continua válido.'],
    },
    tooLarge: { title: 'Solicitação grande demais', paragraphs: [] },
    invalid: { title: 'Dados inválidos', paragraphs: [] },
  },
} satisfies PageTexts;

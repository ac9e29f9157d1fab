/** Texts of PDF and certificate, some of them shared by page and mail, in Mexican Spanish. */
export const documents = {
  /** Shared by PDF, page and mail. */
  quote: {
    name: 'Cotización',
    numbered: (label: string) => `Cotización ${label}`,
    from: 'De',
    to: 'Para',
    issued: 'Fecha de emisión',
    validUntil: 'Vigente hasta',
    currency: 'Moneda',
    version: 'Versión',
    item: 'Concepto',
    quantity: 'Cantidad',
    unitPrice: 'Precio unitario',
    discount: 'Descuento',
    amount: 'Importe',
    subtotal: 'Subtotal',
    tax: (rate: string, _country: string) => `IVA (${rate})`,
    shipping: 'Envío',
    total: 'Total',
    /** Heading of the total in words; null in languages without it, hence the wider type. */
    amountInWords: 'Importe con letra' as string | null,
    payment: 'Datos para el pago',
    beneficiary: 'Beneficiario',
    bank: 'Banco',
    account: 'Cuenta',
    notes: 'Notas',
    attachments: 'Archivos adjuntos',
    terms: 'Condiciones',
    reference: 'Referencia',
    /** The lines before a discount of the whole document. */
    beforeDiscount: 'Suma de las partidas',
    documentDiscount: (rate: string) => `Descuento (${rate})`,
    deposit: 'Anticipo',
    subtotalOf: (section: string) => `Subtotal de ${section}`,
    /** The sum so far, at the foot of a page and at the head of the next one. */
    carriedForward: 'Suma y sigue',
    broughtForward: 'Suma anterior',
    optional: { counts: 'Opcional, incluido', apart: 'Opcional, no incluido' },
    alternative: {
      counts: (group: string) => `Alternativa de ${group}, elegida`,
      apart: (group: string) => `Alternativa de ${group}, no incluida`,
    },
    seller: (name: string) => `Le atiende ${name}`,
    taxId: 'ID fiscal',
    notTaxDocument: 'Esta cotización no es un comprobante fiscal.',
    signature: 'Firma',
    acceptance: 'Firma de aceptación',
    signatureOf: (name: string) => `Firma de ${name}`,
    /** The sentence that the client agrees to. */
    consent: (label: string, version: number, total: string, until: string) =>
      `Acepto la cotización ${label}, versión ${version}, por un total de ${total}, vigente hasta el ${until}. Mi nombre, ` +
      'mi correo, la fecha, mi dirección IP y mi navegador se guardan como constancia de esta aceptación.',
  },
  document: {
    subject: (client: string) => `Cotización para ${client}`,
    logoOf: (business: string) => `Logotipo de ${business}`,
    page: (number: number, count: number) => `Página ${number} de ${count}`,
    freeVersion: 'VERSIÓN GRATUITA',
    signed: (name: string, email: string, when: string) =>
      `Firmado electrónicamente por ${name} (${email}) el ${when}.`,
    seeLastPage: 'Fue aceptada y firmada: vea la constancia de firma en la última página.',
  },
  certificate: {
    title: 'Constancia de firma',
    about: (label: string) => `Cotización ${label}, aceptada por medios electrónicos`,
    consent: 'Declaración aceptada',
    signer: 'Firmante',
    name: 'Nombre',
    email: 'Correo',
    signedAt: 'Fecha y hora',
    ip: 'Dirección IP',
    browser: 'Navegador',
    unknownBrowser: 'No se identificó',
    document: 'Documento',
    quoteVersion: (label: string, version: number) => `${label}, versión ${version}`,
    issuedBy: 'Emitida por',
    acceptedTotal: 'Total aceptado',
    quoteId: 'ID de la cotización',
    signatureId: 'ID de la firma',
    hashes: 'Huellas digitales (SHA-256)',
    shownDocument: 'Documento mostrado',
    acceptedData: 'Datos aceptados',
    howToCheck: 'Cómo comprobarla',
    checks: (label: string, business: string) => [
      'El documento mostrado es el PDF de esta cotización tal como estaba antes de firmarse, sin firma ni constancia. ' +
        `Calcule el SHA-256 de su copia (con «sha256sum ${label}.pdf» o «Get-FileHash») y compárelo con ` +
        'la huella de arriba: si coinciden, es el mismo documento, byte por byte.',
      'El SHA-256 de este archivo ya firmado no puede estar escrito dentro de él. Está en el expediente de la firma, junto ' +
        `con los datos aceptados, que conserva ${business}; pídalo con el ID de la firma.`,
    ],
  },
};

export type DocumentTexts = typeof documents;

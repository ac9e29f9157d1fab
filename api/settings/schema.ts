import { type Static, Type } from 'typebox';
import { MAX_FOLLOW_UP_DAYS, MAX_FOLLOW_UPS } from '../../domain/follow-ups.ts';
import { LOCALES } from '../../domain/locale.ts';
import { PAPER_SIZES } from '../../domain/paper.ts';
import { MAX_QUOTE_NUMBER } from '../../domain/quote-number.ts';
import { MAX_TAXES, TAX_KINDS } from '../../domain/taxes.ts';
import { FONT_FAMILIES, HEADER_LAYOUTS } from '../../domain/settings.ts';
import {
  named,
  namedInput,
  country,
  currency,
  decimal,
  decimalText,
  email,
  id,
  line,
  nullable,
  oneOf,
  optionalLine,
  optionalText,
  Warning,
  warnings,
} from '../schema.ts';

const color = (example: string) => ({ description: 'color hexadecimal', examples: [example] });
const COLOR = '#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})';
const PAPER = { deprecated: true, description: 'use paperSize de los ajustes, que vale primero' };

/** A member of bankInfo or pdfBranding with one of these values; null or "" removes it. */
const removable = <const T extends string>(name: string, values: readonly T[], options: object = {}) =>
  Type.Optional(
    Type.Unsafe<T | '' | null>({
      title: name,
      type: ['string', 'null'],
      enum: [...values, '', null],
      examples: [values[0]],
      ...options,
    }),
  );
const removableColor = (example: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: `^(${COLOR})?$`, ...color(example) }));

const changeBankInfo = {
  bankName: optionalLine(100, { examples: ['Banco del Centro'] }),
  clabe: optionalLine(34, {
    examples: ['032180000118359719'],
    description: 'en México, la CLABE; en otro país, la cuenta',
  }),
  beneficiary: optionalLine(200, { description: 'a nombre de quién está', examples: ['Muebles Roble, S.A. de C.V.'] }),
};
const changePdfBranding = {
  primaryColor: removableColor('#1F4E79'),
  accentColor: removableColor('#E07A1F'),
  fontFamily: removable('FontFamily', FONT_FAMILIES),
  headerLayout: removable('HeaderLayout', HEADER_LAYOUTS),
  footerText: optionalText(200, { examples: ['Precios sujetos a cambio sin previo aviso'] }),
  paperSize: removable('PaperSize', PAPER_SIZES, PAPER),
};

const readText = (example: string) => Type.Optional(Type.String({ examples: [example] }));
const bankInfo = {
  bankName: readText('Banco del Centro'),
  clabe: readText('032180000118359719'),
  beneficiary: readText('Muebles Roble, S.A. de C.V.'),
};
const readColor = (example: string) => Type.Optional(Type.String({ pattern: `^${COLOR}$`, ...color(example) }));
const pdfBranding = {
  primaryColor: readColor('#1F4E79'),
  accentColor: readColor('#E07A1F'),
  fontFamily: Type.Optional(oneOf('FontFamily', FONT_FAMILIES)),
  headerLayout: Type.Optional(oneOf('HeaderLayout', HEADER_LAYOUTS)),
  footerText: readText('Precios sujetos a cambio sin previo aviso'),
  paperSize: Type.Optional(oneOf('PaperSize', PAPER_SIZES, PAPER)),
};

const MERGED = 'los miembros que no se envían quedan; nulo o "" quita uno';

/** Any subset; absent members are unchanged, also within bankInfo and pdfBranding. */
export const UpdateSettings = namedInput('SettingsUpdate', {
  companyName: Type.Optional(line(200, { minLength: 2, examples: ['Muebles Roble'] })),
  email: Type.Optional(email({ examples: ['ventas@roble.example'] })),
  phone: optionalLine(40, { examples: ['+52 55 1234 5678'] }),
  address: optionalText(500, { examples: ['Av. Juárez 10, Centro, Puebla'] }),
  bankInfo: Type.Optional(
    nullable(namedInput('BankInfoUpdate', changeBankInfo, { description: `${MERGED}; nulo la quita` })),
  ),
  defaultNotes: optionalText(300, {
    description: 'notas de una cotización que no trae las suyas',
    examples: ['Entrega en 10 días hábiles'],
  }),
  taxRate: Type.Optional(
    nullable(
      decimal(4, {
        minimum: 0,
        maximum: 1,
        description: '0.16 = 16 %; nulo: ninguna, y las cotizaciones llevan 16 %',
        examples: [0.16],
      }),
    ),
  ),
  quoteValidityDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, examples: [15] })),
  currency: Type.Optional(currency({ description: 'ISO 4217' })),
  pdfBranding: Type.Optional(
    nullable(
      namedInput('PdfBrandingUpdate', changePdfBranding, {
        description: `${MERGED}; solo en el plan PRO; nulo vuelve a la forma de siempre`,
      }),
    ),
  ),
  reminderDaysBefore: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 30, description: 'días antes de vencer', examples: [3] }),
  ),
  notifyOnAnswer: Type.Optional(
    Type.Boolean({
      description: 'avisar por correo a quien hizo la cotización y a los dueños cuando el cliente responde',
    }),
  ),
  followUpDays: Type.Optional(
    nullable(
      Type.Array(Type.Integer({ minimum: 1, maximum: MAX_FOLLOW_UP_DAYS }), {
        maxItems: MAX_FOLLOW_UPS,
        description:
          'cuántos días después del último envío se escribe al cliente que no ha respondido, a las 10:00, en el plan PRO; ' +
          'distintos y en orden ascendente. Vacío o nulo: nunca',
        examples: [[3, 7, 14]],
      }),
    ),
  ),
  timeZone: Type.Optional(
    Type.String({
      format: 'time-zone',
      maxLength: 64,
      description: 'nombre IANA; sus días son los de la vigencia, los documentos y los periodos',
      examples: ['America/Mexico_City'],
    }),
  ),
  country: Type.Optional(
    country('ISO 3166-1 alfa-2; de él dependen el papel, el nombre y la revisión de la clave fiscal y de la cuenta'),
  ),
  locale: Type.Optional(
    oneOf('Locale', LOCALES, {
      description:
        'idioma de lo que leen los clientes: PDF, correo, página y constancia; cada cliente puede tener el suyo',
      examples: ['es-MX'],
    }),
  ),
  legalName: optionalLine(200, {
    description: 'razón social, si no es companyName',
    examples: ['Muebles Roble, S.A. de C.V.'],
  }),
  taxId: optionalLine(20, {
    description:
      'clave fiscal del negocio; en México, su RFC. Una que parece equivocada se guarda y se avisa en warnings',
    examples: ['MAB9307148T4'],
  }),
  defaultTerms: optionalText(5000, {
    description: 'condiciones de una cotización que no trae las suyas',
    examples: ['50 % de anticipo, resto contra entrega.'],
  }),
  taxes: Type.Optional(
    nullable(
      Type.Array(
        namedInput('TaxInput', {
          code: Type.String({ pattern: '^[A-Z0-9_]{1,20}$', examples: ['IVA16'] }),
          name: line(40, { examples: ['IVA 16 %'] }),
          rate: decimal(6, { minimum: 0, maximum: 1, examples: [0.16] }),
          kind: oneOf('TaxKind', TAX_KINDS, {
            description: 'transfer se suma, withholding se resta, exempt lleva tasa 0',
          }),
        }),
        { maxItems: MAX_TAXES, description: 'la tabla de impuestos, que se reemplaza entera; nulo: la del país' },
      ),
    ),
  ),
  numberFormat: Type.Optional(
    nullable(
      line(40, {
        description:
          'cómo se escribe el número: A-Z a-z 0-9 espacio . _ / - y, una vez, {number} o {number:1} a {number:9}; además {year}, {yy} y {month}',
        examples: ['COT-{year}-{number:4}'],
      }),
    ),
  ),
  nextQuoteNumber: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_QUOTE_NUMBER,
      description: 'el número de la próxima cotización, mayor que el último; el hueco queda',
    }),
  ),
  paperSize: Type.Optional(
    nullable(
      oneOf('PaperSize', PAPER_SIZES, { description: 'papel de los documentos en cualquier plan; nulo: el del país' }),
    ),
  ),
});
export type UpdateSettings = Static<typeof UpdateSettings>;

/** A row of the tax table. */
export const TaxBody = named('Tax', {
  code: Type.String({ examples: ['IVA16'] }),
  name: Type.String({ examples: ['IVA 16 %'] }),
  kind: oneOf('TaxKind', TAX_KINDS),
  rate: Type.Number({ examples: [0.16] }),
});

const SettingsBody = named('Settings', {
  id: id(),
  companyName: Type.String({ examples: ['Muebles Roble'] }),
  email: nullable(Type.String({ examples: ['ventas@roble.example'] })),
  phone: nullable(Type.String({ examples: ['+52 55 1234 5678'] })),
  address: nullable(Type.String({ examples: ['Av. Juárez 10, Centro, Puebla'] })),
  logoUrl: nullable(Type.String({ format: 'uri', description: 'enlace temporal, de 15 minutos' })),
  bankInfo: nullable(named('BankInfo', bankInfo)),
  defaultNotes: Type.String({ examples: ['Entrega en 10 días hábiles'] }),
  taxRate: nullable(decimalText()),
  quoteValidityDays: Type.Integer({ examples: [15] }),
  currency: Type.String({ examples: ['MXN'] }),
  pdfBranding: nullable(named('PdfBranding', pdfBranding)),
  reminderDaysBefore: Type.Integer({ examples: [3] }),
  notifyOnAnswer: Type.Boolean(),
  followUpDays: Type.Array(Type.Integer(), { examples: [[3, 7, 14]] }),
  timeZone: Type.String({ examples: ['America/Mexico_City'] }),
  country: Type.String({ examples: ['MX'] }),
  locale: oneOf('Locale', LOCALES, { examples: ['es-MX'] }),
  legalName: nullable(Type.String({ examples: ['Muebles Roble, S.A. de C.V.'] })),
  taxId: nullable(Type.String({ examples: ['MAB9307148T4'] })),
  paperSize: nullable(oneOf('PaperSize', PAPER_SIZES)),
  defaultTerms: Type.String({ examples: ['50 % de anticipo'] }),
  taxes: Type.Array(TaxBody),
  numberFormat: Type.String({ examples: ['COT-{number}'] }),
  nextQuoteNumber: Type.Integer({ minimum: 1, examples: [13] }),
});

export const SettingsResult = named('SettingsResult', { data: SettingsBody });
export const UpdatedSettings = named('SavedSettings', { data: SettingsBody, warnings: warnings() });

/** The form of the logo, only for the OpenAPI document: `read-upload.ts` reads it. */
export const LogoForm = named('LogoUpload', {
  logo: Type.Unsafe<Buffer>({ type: 'string', format: 'binary', description: 'PNG, JPG, WebP o SVG, hasta 2 MB' }),
});

export const LogoResult = named('Logo', {
  logoUrl: Type.String({ format: 'uri', description: 'enlace temporal, de 15 minutos' }),
  storageKey: Type.String({ examples: ['t/c5tz6q8v0k3m9w2x7y4n1b0d/logo/9f86d081884c7d65.png'] }),
  warnings: Type.Optional(
    Type.Array(Warning, {
      description: 'lo que no se pudo dibujar igual; falta cuando no hay nada que advertir',
    }),
  ),
});

import type { ErrorObject } from 'ajv';
import { hasLocalPartBeyondAscii } from '../adapters/internet-address.ts';
import type { Detail } from '../domain/errors.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: 'texto',
  number: 'un número',
  integer: 'un número entero',
  boolean: 'verdadero o falso',
  array: 'una lista',
  object: 'un objeto',
  null: 'nulo',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'debe ser un correo electrónico válido',
  'email-or-empty': 'debe ser un correo electrónico válido',
  'date-time': 'debe ser una fecha y hora ISO 8601',
  date: 'debe ser una fecha AAAA-MM-DD',
  'iso-8601': 'debe ser una fecha y hora ISO 8601',
  'time-zone': 'debe ser una zona horaria IANA',
  country: 'debe ser un código ISO 3166-1 de dos letras',
  uri: 'debe ser una URL válida',
  currency: 'debe ser un código ISO 4217',
};

const BEYOND_ASCII =
  'debe ser un correo electrónico válido: antes de la @ solo se admiten letras sin acento, cifras y signos de ASCII';

/** The values of an enumeration, except those that remove the member. */
const listOf = (allowed: unknown): string =>
  [allowed]
    .flat()
    .filter((word) => word !== '' && word !== null)
    .join(', ');

const count = (n: number, one: string, many: string): string => (n === 1 ? `un ${one}` : `${n} ${many}`);

/** Path and message of a validation error: "items.0.quantity", "es obligatorio". */
export function explain({ keyword, instancePath, params, parentSchema, data }: ErrorObject): Detail {
  const path = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'required': {
      const missing = String(params['missingProperty']);
      return { path: path ? `${path}.${missing}` : missing, message: 'es obligatorio' };
    }
    case 'type': {
      const types = [parentSchema?.['type'] ?? params['type']]
        .flat()
        .map((type) => TYPES[String(type)] ?? String(type));
      return { path, message: `debe ser ${types.join(' o ')}` };
    }
    case 'minItems':
      return { path, message: `debe tener al menos ${count(limit, 'elemento', 'elementos')}` };
    case 'maxItems':
    case 'maxProperties':
      return { path, message: `debe tener como máximo ${count(limit, 'elemento', 'elementos')}` };
    case 'minLength':
      return {
        path,
        message: limit === 1 ? 'no puede estar vacío' : `debe tener al menos ${count(limit, 'carácter', 'caracteres')}`,
      };
    case 'maxLength':
      return { path, message: `debe tener como máximo ${count(limit, 'carácter', 'caracteres')}` };
    case 'storable':
      return { path, message: 'contiene caracteres no permitidos' };
    case 'minimum':
      return { path, message: `debe ser mayor o igual que ${limit}` };
    case 'exclusiveMinimum':
      return { path, message: `debe ser mayor que ${limit}` };
    case 'maximum':
      return { path, message: `debe ser menor o igual que ${limit}` };
    case 'exclusiveMaximum':
      return { path, message: `debe ser menor que ${limit}` };
    case 'maxDecimals':
      return {
        path,
        message: `debe tener como máximo ${count(Number(params['limit'] ?? parentSchema?.['maxDecimals']), 'decimal', 'decimales')}`,
      };
    case 'refuseCommon':
      return { path, message: 'es una contraseña demasiado común; elija otra' };
    case 'enum':
      return { path, message: `debe ser uno de: ${listOf(params['allowedValues'])}` };
    case 'discriminator':
      // A union: the discriminator is missing or unknown.
      return {
        path: `${path}.${String(params['tag'])}`,
        message: params['tagValue'] === undefined ? 'es obligatorio' : 'no es uno de los tipos admitidos',
      };
    case 'format':
      if (typeof data === 'string' && data.includes('@') && hasLocalPartBeyondAscii(data))
        return { path, message: BEYOND_ASCII };
      return { path, message: FORMATS[String(params['format'])] ?? 'no tiene el formato correcto' };
    default:
      return { path, message: 'no es válido' };
  }
}

/** Calling code and length of national numbers, for countries whose people write their numbers without the code. */
const NATIONAL: Readonly<Record<string, readonly [code: string, digits: number]>> = {
  AR: ['54', 10],
  BO: ['591', 8],
  BR: ['55', 11],
  CA: ['1', 10],
  CL: ['56', 9],
  CO: ['57', 10],
  CR: ['506', 8],
  DO: ['1', 10],
  EC: ['593', 9],
  ES: ['34', 9],
  GT: ['502', 8],
  HN: ['504', 8],
  MX: ['52', 10],
  NI: ['505', 8],
  PA: ['507', 8],
  PE: ['51', 9],
  PR: ['1', 10],
  PY: ['595', 9],
  SV: ['503', 8],
  US: ['1', 10],
  UY: ['598', 8],
  VE: ['58', 10],
};

/**
 * The address that opens a WhatsApp conversation with that phone and text; null when the phone has not 8 to 15 digits,
 * or more than a number in it.
 *
 * @param country of the client, for a number without its calling code
 */
export function whatsappUrl(phone: string | null, { country, text }: { country: string; text: string }): string | null {
  if (phone === null || !/^[\d\s+().-]+$/.test(phone)) return null;
  const digits = phone.replace(/\D/g, '');
  const [code, length] = NATIONAL[country] ?? [];
  const isInternational = /^[\s(]*(\+|00)/.test(phone);
  const number = !isInternational && code && digits.length === length ? code + digits : digits.replace(/^00/, '');
  return /^[1-9]\d{7,14}$/.test(number) ? `https://wa.me/${number}?text=${encodeURIComponent(text)}` : null;
}

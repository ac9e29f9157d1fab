import { fullStopAfter } from '../domain/full-stop.ts';
import { type Html, html } from '../domain/html.ts';
import { textsOf } from '../domain/texts/texts.ts';
import type { QuoteDrawing } from '../domain/quote-drawing.ts';

/** A mail address as a link. */
export const mailLink = (address: string): Html => html`<a href="mailto:${encodeURIComponent(address)}">${address}</a>`;

/** A phone number as a link, if it has enough digits. */
export const phoneLink = (phone: string): Html => html`<a href="tel:${phone.replace(/[^\d+]/g, '')}">${phone}</a>`;

/** Contact for questions: the seller by mail, the business by phone. */
export function contactLine({ business, seller, locale }: QuoteDrawing): Html {
  const { contact, orCall } = textsOf(locale).page;
  const phone = business.phone ? orCall(phoneLink(business.phone)) : null;
  return html`${contact(seller.name, mailLink(seller.email))}${phone}${fullStopAfter(business.phone ?? '')}`;
}

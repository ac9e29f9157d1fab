import { page } from '../declaration.ts';
import { paramsOf } from './read.ts';

const PATH = '/app/quotes/:id';

/** Files of a quote, as the API gives them. */
export const quoteFilePages = [
  page({
    method: 'GET',
    path: `${PATH}/pdf`,
    access: 'quotes:read',
    handle: async (request) => {
      const { headers = {}, ...file } = await request.callForResult('downloadQuotePdf', { params: paramsOf(request) });
      // Under the policy of our pages a browser's viewer of PDFs may show nothing, so the file is downloaded.
      const disposition = headers['Content-Disposition']?.replace(/^inline/, 'attachment') ?? 'attachment';
      return { file: { ...file, headers: { ...headers, 'Content-Disposition': disposition } } };
    },
  }),
  page({
    method: 'GET',
    path: `${PATH}/attachments/:attachmentId`,
    access: 'quotes:read',
    handle: async (request) => {
      const params = { ...paramsOf(request), attachmentId: request.params['attachmentId'] ?? '' };
      return { file: await request.callForResult('downloadQuoteAttachment', { params }) };
    },
  }),
  page({
    method: 'GET',
    path: `${PATH}/evidence.json`,
    access: 'quotes:read',
    handle: async (request) => ({
      file: await request.callForResult('getQuoteSignatureEvidence', { params: paramsOf(request) }),
    }),
  }),
];

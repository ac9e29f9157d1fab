// One of the two barrels that Temporal needs: every workflow that the worker may be asked to run.
export { quoteLifecycle } from './quote-lifecycle.ts';
export { sendMail } from './send-mail.ts';

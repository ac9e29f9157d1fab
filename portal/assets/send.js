/** Longer than the service takes for any response. */
const LIMIT_MS = 30_000;

/**
 * Submits a form without leaving the page, so that a lost connection does not lose the input. Sending again is safe,
 * because a decision counts once.
 *
 * @param show receives the page that shows the error
 */
export async function sendFrom(form, show) {
  const button = form.querySelector('[type=submit]');
  const note = form.querySelector('[data-note]');
  // A second press is safe, but would suggest that the first did not work.
  if (form.dataset.isSending) return;
  form.dataset.isSending = 'yes';
  const label = button.textContent;
  button.setAttribute('aria-disabled', 'true');
  button.textContent = form.dataset.sending;
  note.textContent = '';
  const answer = await answerTo(form);
  if (answer === 'taken') {
    // The page of the quote shows the result.
    location.assign(form.action.replace(/\/[a-z-]+(?=\?|$)/, ''));
  } else if (answer) {
    show(answer.page);
  } else {
    note.textContent = form.dataset.notConfirmed;
    delete form.dataset.isSending;
    button.removeAttribute('aria-disabled');
    button.textContent = label;
  }
}

/** The result: accepted, or the page with the error; undefined if the outcome is unknown. */
async function answerTo(form) {
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      body: new URLSearchParams(new FormData(form)),
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    if (response.type === 'opaqueredirect') return 'taken';
    return response.status === 429 || response.status >= 500 ? undefined : { page: await response.text() };
  } catch {
    return undefined;
  }
}

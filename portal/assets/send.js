/** Longer than the service takes for any answer. */
const LIMIT_MS = 30_000;

/**
 * Sends a form where it would go by itself, but without leaving the page: when no answer arrives, nothing that was
 * written or drawn is lost. Sending again does no harm, for an answer counts once.
 *
 * @param show is given the page that says what was wrong
 */
export async function sendFrom(form, show) {
  const button = form.querySelector('[type=submit]');
  const note = form.querySelector('[data-note]');
  // A second press would do no harm; it would only look as if the first had not worked.
  if (form.dataset.underWay) return;
  form.dataset.underWay = 'yes';
  const label = button.textContent;
  button.setAttribute('aria-disabled', 'true');
  button.textContent = form.dataset.sending;
  note.textContent = '';
  const answer = await answerTo(form);
  if (answer === 'taken') {
    // The quote's page says so.
    location.assign(form.action.replace(/\/\w+(?=\?|$)/, ''));
  } else if (answer) {
    show(answer.page);
  } else {
    note.textContent = form.dataset.notConfirmed;
    delete form.dataset.underWay;
    button.removeAttribute('aria-disabled');
    button.textContent = label;
  }
}

/** That it was taken, or the page that says why not; undefined when nobody can tell. */
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

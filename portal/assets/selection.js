import { parsePage } from './parse-page.js';

/** Longer than the service takes for any response. */
const LIMIT_MS = 30_000;

/**
 * Shows new amounts when the client changes the selection. The service computes them and renders the page; only the
 * parts with amounts are replaced, so that the focus and the other fields stay.
 *
 * @param show receives the whole page if the quote can no longer be answered
 */
export function prepareSelection(form, show) {
  const place = document.querySelector('[data-selection]');
  if (!form || !place) return;
  const options = [...document.querySelectorAll('[data-option]')];
  const note = place.querySelector('[data-note]');
  let latest;
  for (const option of options) option.addEventListener('change', () => void update());

  async function update() {
    latest?.abort();
    const current = new AbortController();
    latest = current;
    note.textContent = '';
    const response = await pageFor(current.signal);
    if (current.signal.aborted) return;
    if (!response) {
      const { value } = form.elements.shown;
      for (const option of options) option.checked = value.split(',').includes(option.value);
      note.textContent = place.dataset.failed;
      return;
    }
    if (response.status === 200 || response.status === 400) showAmounts(response.page);
    else show(response.page);
  }

  /** Undefined if there is no usable response. */
  async function pageFor(signal) {
    try {
      const { status, page } = await fetch(place.dataset.selection, {
        method: 'POST',
        body: new URLSearchParams(new FormData(form)),
        signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
      }).then(async (response) => ({ status: response.status, page: await response.text() }));
      return status === 429 || status >= 500 ? undefined : { status, page };
    } catch {
      return undefined;
    }
  }

  function showAmounts(page) {
    const fresh = parsePage(page);
    const { consent } = form.elements;
    const agreedTo = consent.nextElementSibling.textContent;
    for (const part of document.querySelectorAll('[data-part]')) {
      const other = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
      if (other) part.replaceWith(document.adoptNode(other));
    }
    const checked = new Set([...fresh.querySelectorAll('[data-option][checked]')].map(({ value }) => value));
    for (const option of options) option.checked = checked.has(option.value);
    // The sentence names the total: it has to be agreed to again.
    if (consent.nextElementSibling.textContent !== agreedTo) consent.checked = false;
    const total = document.querySelector('[data-part=total]');
    place.querySelector('[data-new-total]').textContent =
      `${document.getElementById('total-title').textContent}: ${total.textContent}`;
  }
}

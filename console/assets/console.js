// Enhances pages that work without it: see console/README.md.

// A second press of a button sends nothing.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!form.matches('[data-once]')) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = 'true';
});
// The page comes back from the browser's memory.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('[data-sent]')) delete form.dataset.sent;
});

// The address of a filtered list, so that it can be reloaded and shared.
document.addEventListener('htmx:afterRequest', ({ detail: { elt, successful, pathInfo } }) => {
  if (successful && elt.matches('[data-replace-address]')) history.replaceState(null, '', pathInfo.finalRequestPath);
});

// In the lines of a quote, Enter leads to the next line or adds one.
document.addEventListener('keydown', (event) => {
  const line =
    event.key === 'Enter' && event.target.matches('input:not([type=checkbox])') && event.target.closest('[data-row]');
  if (!line) return;
  event.preventDefault();
  const next = line.nextElementSibling?.querySelector('input:not([type=hidden])');
  if (next) next.focus();
  else document.querySelector('[data-add-row]')?.click();
});

// The arrow keys lead from a search to its matches and through them.
document.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const picks = step && [...(event.target.closest('[data-picks]')?.querySelectorAll('.pick') ?? [])];
  const next = picks?.[picks.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// Details that somebody opened stay open when their part of the page is replaced.
let opened = [];
document.addEventListener('htmx:beforeSwap', ({ detail: { target } }) => {
  opened = [...target.querySelectorAll('details[open][id]')].map(({ id }) => id);
});
document.addEventListener('htmx:afterSwap', () => {
  for (const id of opened) document.getElementById(id)?.setAttribute('open', '');
  opened = [];
});

// A button of a form that cannot change its part of the page shows the response as a page: the session has ended.
document.addEventListener('htmx:responseError', ({ detail: { elt } }) => {
  if (elt.matches('button[hx-post]')) elt.form.requestSubmit(elt);
});

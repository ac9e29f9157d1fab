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

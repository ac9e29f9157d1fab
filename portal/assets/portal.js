import { prepareAcceptance } from './accept-form.js';
import { dock } from './dock.js';
import { parsePage } from './parse-page.js';
import { prepareSelection } from './selection.js';
import { sendFrom } from './send.js';

// Progressive enhancement: a drawn signature, validation before sending, forms that survive a lost connection, totals that
// follow the selection, and copy buttons. Without it the forms still work.
document.documentElement.classList.add('js');
enhance();

/** Attaches the handlers; called once for each page that is shown. */
function enhance() {
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.addEventListener('click', () => void copy(button));
  }
  // Some browsers do not open a <details> when a link targets an element in it.
  for (const link of document.querySelectorAll('[data-to-rejection]')) {
    link.addEventListener('click', () => document.querySelector('.reject').setAttribute('open', ''));
  }
  const acceptance = document.querySelector('[data-accept]');
  const isReady = acceptance ? prepareAcceptance(acceptance) : () => true;
  for (const form of document.querySelectorAll('form:not([data-plain])')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (form !== acceptance || isReady()) void sendFrom(form, show);
    });
  }
  prepareSelection(acceptance, show);
  dock();
}

/** Replaces this page by that of a response. The URL stays the same, so that a reload shows the quote. */
function show(html) {
  const { title, body, documentElement } = parsePage(html);
  document.title = title;
  document.documentElement.lang = documentElement.lang;
  document.body.replaceWith(document.adoptNode(body));
  enhance();
  scrollTo(0, 0);
  const [news] = ['[autofocus]', '.banner', 'h1'].flatMap((what) => document.querySelector(what) ?? []);
  if (!news.hasAttribute('tabindex')) news.setAttribute('tabindex', '-1');
  news.focus();
}

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  const { copied, announcement } = button.dataset;
  const label = button.firstChild;
  const before = label.textContent;
  if (before === copied) return;
  label.textContent = copied;
  document.getElementById('copied').textContent = announcement;
  setTimeout(() => {
    label.textContent = before;
  }, 3000);
}

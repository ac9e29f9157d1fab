import { prepareAcceptance } from './accept-form.js';
import { dock } from './dock.js';
import { sendFrom } from './send.js';

// What the page gains by a script: a drawn signature, checks before anything is sent, an answer that is not lost with
// the connection, a button that copies. Without it the forms still work.
document.documentElement.classList.add('js');
enhance();

/** Makes the page that stands there lively; once for each page that is shown. */
function enhance() {
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.addEventListener('click', () => void copy(button));
  }
  // Browsers that do not open a fold by themselves when a link leads into it.
  for (const link of document.querySelectorAll('[data-to-rejection]')) {
    link.addEventListener('click', () => document.querySelector('.reject').setAttribute('open', ''));
  }
  const acceptance = document.querySelector('[data-accept]');
  const isReady = acceptance ? prepareAcceptance(acceptance) : () => true;
  for (const form of document.querySelectorAll('form')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (form !== acceptance || isReady()) void sendFrom(form, show);
    });
  }
  dock();
}

/** Puts an answer's page in the place of this one: the address stays, so that a reload asks for the quote. */
function show(html) {
  // The colours are those that stand here already, and the style element of another answer is not allowed on this page.
  const unstyled = html.replace(/<style[\s\S]*?<\/style>/, '');
  const { title, body, documentElement } = new DOMParser().parseFromString(unstyled, 'text/html');
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

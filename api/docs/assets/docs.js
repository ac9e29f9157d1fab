// Progressive enhancement: copy buttons, one language for all examples, search. Pages are complete without it.

addCopyButtons();
rememberLanguage();
prepareSearch();
prepareNavigation();

function addCopyButtons() {
  for (const figure of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(button, figure.querySelector('code').textContent));
    figure.append(button);
  }
}

async function copy(button, text) {
  const isCopied = await write(text);
  button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}

/** Over http browsers have no clipboard interface but on localhost; there the command copies the selected text. */
async function write(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return true;
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}

/** Storage may be refused by the browser's settings; then the choice lasts as long as the page. */
function rememberLanguage() {
  const key = 'docs.language';
  const choose = (language) => {
    for (const input of document.querySelectorAll(`.tabs input[value="${CSS.escape(language)}"]`)) input.checked = true;
  };
  const stored = attempt(() => localStorage.getItem(key));
  if (stored) choose(stored);
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.tabs input')) return;
    const before = target.getBoundingClientRect().top;
    choose(target.value);
    // Examples above may have become longer or shorter.
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
    attempt(() => localStorage.setItem(key, target.value));
  });
}

function attempt(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

function prepareSearch() {
  const button = document.querySelector('.search-open');
  const dialog = document.getElementById('search');
  button.hidden = false;
  const open = async () => {
    dialog.showModal();
    const { search } = await import('./search.js');
    search(dialog);
  };
  button.addEventListener('click', () => void open());
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select') !== null;
    const isShortcut = event.key === '/' ? !isTyping : event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (!isShortcut || dialog.open) return;
    event.preventDefault();
    void open();
  });
  // A press outside of the dialog's content.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
}

function prepareNavigation() {
  const navigation = document.getElementById('navigation');
  // The list of pages is longer than the window.
  const current = navigation.querySelector('[aria-current]');
  const showCurrent = () => {
    if (current) navigation.scrollTop = current.offsetTop - navigation.clientHeight / 3;
  };
  showCurrent();
  navigation.addEventListener('toggle', showCurrent);
  // A link to another part of the same page loads nothing that would close the drawer of a phone.
  navigation.addEventListener('click', ({ target }) => {
    if (target.closest('a') && navigation.matches(':popover-open')) navigation.hidePopover();
  });
}

import MiniSearch from 'minisearch';

// Loaded when the search is opened for the first time.

const MAX_RESULTS = 20;
/** Characters of a result's text. */
const EXCERPT = 150;
/** Guides come before documents of operators. */
const BOOSTS = { Guides: 1.6, 'API reference': 1.3 };

let ready;

/** Connects the dialog to the index. */
export function search(dialog) {
  const input = dialog.querySelector('input');
  const status = dialog.querySelector('[role=status]');
  const results = dialog.querySelector('ol');
  ready ??= load(dialog.dataset.index).then((found) => {
    const show = () => render(found, input.value.trim(), { status, results });
    input.addEventListener('input', show);
    show();
    moveByArrows(dialog, input, results);
  });
  ready.catch(() => {
    ready = undefined;
    status.textContent = 'The search could not be loaded. Close it and try again.';
  });
  input.select();
}

async function load(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(String(response.status));
  const records = await response.json();
  const index = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    storeFields: ['section'],
    processTerm: folded,
    searchOptions: {
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      boost: { heading: 4, page: 2 },
      boostDocument: (_id, _term, { section }) => BOOSTS[section] ?? 1,
    },
  });
  index.addAll(records.map((record, id) => ({ ...record, id })));
  return { index, records };
}

/** Without case and accents. */
const folded = (term) => term.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function render({ index, records }, query, { status, results }) {
  const hits = query === '' ? [] : index.search(query);
  results.replaceChildren(...hits.slice(0, MAX_RESULTS).map(({ id, terms }) => item(records[id], terms)));
  if (query === '') status.textContent = 'Type a word, a route, a field or an error code.';
  else if (hits.length === 0) status.textContent = `Nothing found for “${query}”.`;
  else status.textContent = hits.length === 1 ? '1 result' : `${hits.length} results`;
}

function item({ href, page, heading, text, section }, terms) {
  const link = element('a', [element('b', marked(heading, terms)), element('small', [`${section} › ${page}`])]);
  link.href = href;
  // A link within the same page does not load another one.
  link.addEventListener('click', () => link.closest('dialog').close());
  const excerpt = excerptOf(text, terms);
  if (excerpt !== '') link.append(element('p', marked(excerpt, terms)));
  return element('li', [link]);
}

function element(name, children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

/** The text around the first term that occurs in it. */
function excerptOf(text, terms) {
  const plain = folded(text);
  const places = terms.map((term) => plain.indexOf(term)).filter((place) => place >= 0);
  // Folding may shorten a text, so the place is only about right.
  const start = Math.max(0, Math.min(...places, text.length) - EXCERPT / 3);
  const from = places.length === 0 || start < 20 ? 0 : text.indexOf(' ', start) + 1;
  const part = text.slice(from, from + EXCERPT);
  return `${from > 0 ? '…' : ''}${part}${from + EXCERPT < text.length ? '…' : ''}`.trim();
}

/** Words that begin with a found term are marked. */
function marked(text, terms) {
  return text
    .split(/([\p{L}\p{N}_]+)/u)
    .map((word) => (terms.some((term) => folded(word).startsWith(term)) ? element('mark', [word]) : word));
}

function moveByArrows(dialog, input, results) {
  dialog.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Enter' && document.activeElement === input) {
      event.preventDefault();
      links[0]?.click();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const next = at + (event.key === 'ArrowDown' ? 1 : -1);
    (links[next] ?? (next < 0 ? input : links.at(-1)))?.focus();
  });
}

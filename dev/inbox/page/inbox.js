// The inbox page: a list that keeps itself fresh, and the message that the address names (#/<id>).

import { element, fileUrl, size, viewsOf } from './views.js';

const REFRESH_MS = 3_000;
const byId = (id) => document.getElementById(id);
const page = {
  list: byId('messages'),
  count: byId('count'),
  search: byId('search'),
  clear: byId('clear'),
  empty: byId('empty'),
  emptyText: byId('empty-text'),
  message: byId('message'),
  files: byId('files'),
  tabs: byId('tabs'),
  view: byId('view'),
  reader: byId('reader'),
};

let messages = [];
let shownId;
let drawn; // what the list shows, to leave it alone while nothing changes

const seen = new Set(JSON.parse(localStorage.getItem('seen') ?? '[]'));

const clock = new Intl.DateTimeFormat('es-MX', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('es-MX', { day: 'numeric', month: 'short' });
const long = new Intl.DateTimeFormat('es-MX', { dateStyle: 'full', timeStyle: 'medium' });

function shortTime(at) {
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString() ? clock.format(date) : day.format(date);
}

const senderName = (from) => /^"?([^"<]+?)"?\s*</.exec(from)?.[1] ?? from;
const subjectOf = (message) => message.subject || '(sin asunto)';

function tone(text) {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)) % 997;
  return `tone${sum % 6}`;
}

// The list

// Without case and accents: "cafe" finds «Café».
const folded = (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

function matches(message, words) {
  const text = folded([message.from, ...message.to, message.subject, message.text ?? ''].join(' '));
  return words.every((word) => text.includes(word));
}

function drawList() {
  const words = folded(page.search.value).split(/\s+/).filter(Boolean);
  const visible = messages.filter((message) => matches(message, words));
  const state = JSON.stringify([visible.map(({ id }) => [id, seen.has(id)]), shownId, new Date().toDateString()]);
  if (state === drawn) return;
  drawn = state;

  page.list.replaceChildren(...visible.map(listItem));
  page.clear.hidden = messages.length === 0;
  page.count.textContent =
    messages.length === 0
      ? 'Sin mensajes'
      : visible.length === messages.length
        ? `${messages.length} ${messages.length === 1 ? 'mensaje' : 'mensajes'}`
        : `${visible.length} de ${messages.length}`;
  page.emptyText.textContent =
    messages.length === 0
      ? 'Aquí aparece cada correo que envía el servicio. Comparta una cotización para ver el primero.'
      : 'Elija un mensaje';
}

function listItem(message) {
  const name = senderName(message.from);
  const fresh = !seen.has(message.id);
  const link = element('a', { class: fresh ? 'item fresh' : 'item', href: `#/${message.id}` }, [
    element('span', {
      class: `avatar ${tone(name)}`,
      'aria-hidden': 'true',
      text: (name.match(/[\p{L}\d]/u)?.[0] ?? '?').toUpperCase(),
    }),
    element('span', { class: 'sender', text: name }),
    element('span', { class: 'when', text: shortTime(message.at) }),
    element('span', { class: 'title', text: subjectOf(message) }),
    element('span', { class: 'glimpse', text: `Para ${message.to.join(', ')}` }),
  ]);
  if (message.attachments.length > 0) {
    const label = message.attachments.length === 1 ? '1 adjunto' : `${message.attachments.length} adjuntos`;
    const clip = element('span', { class: 'clip', role: 'img', 'aria-label': label, title: label });
    clip.append(byId('clip').content.cloneNode(true), String(message.attachments.length));
    link.append(clip);
  }
  if (fresh) link.append(element('span', { class: 'unseen', text: 'Sin leer' }));
  if (message.id === shownId) link.setAttribute('aria-current', 'true');
  return element('li', {}, [link]);
}

// One message

function drawMessage() {
  const id = /^#\/([\w-]+)$/.exec(location.hash)?.[1];
  const message = messages.find((candidate) => candidate.id === id);
  document.body.classList.toggle('reading', message !== undefined);
  page.empty.hidden = message !== undefined;
  page.message.hidden = message === undefined;
  document.title = message ? `${subjectOf(message)} · Bandeja de correo` : 'Bandeja de correo';
  if (message?.id === shownId) return;
  shownId = message?.id;
  if (!message) return;

  seen.add(message.id);
  localStorage.setItem('seen', JSON.stringify([...seen].slice(-500)));
  byId('subject').textContent = subjectOf(message);
  byId('from').textContent = message.from;
  byId('to').textContent = message.to.join(', ');
  byId('at').textContent = long.format(new Date(message.at));
  byId('at').dateTime = message.at;
  page.files.replaceChildren(...message.attachments.map((file, index) => fileCard(message, file, index)));
  page.files.hidden = message.attachments.length === 0;
  drawTabs(message);
  page.reader.scrollTop = 0;
}

function fileCard(message, file, index) {
  const isPdf = file.contentType === 'application/pdf';
  const kind = (/\.(\w{1,4})$/.exec(file.filename)?.[1] ?? 'doc').toUpperCase();
  const card = element('li', { class: 'file' }, [
    element('span', { class: isPdf ? 'kind pdf' : 'kind', 'aria-hidden': 'true', text: kind }),
    element('span', { class: 'name', text: file.filename }, []),
  ]);
  card.lastChild.append(element('small', { text: size(file.size) }));
  if (isPdf) {
    const open = element('button', { type: 'button', text: 'Ver' });
    open.addEventListener('click', () => selectTab(message, `file${index}`));
    card.append(open);
  }
  card.append(
    element('a', {
      class: 'button',
      href: `${fileUrl(message, index)}?download`,
      download: file.filename,
      text: 'Descargar',
    }),
  );
  return card;
}

function drawTabs(message) {
  const views = viewsOf(message);
  page.tabs.replaceChildren(
    ...[...views].map(([name, [label]]) => {
      const tab = element('button', {
        type: 'button',
        role: 'tab',
        id: `tab-${name}`,
        'aria-controls': 'view',
        text: label,
      });
      tab.addEventListener('click', () => selectTab(message, name));
      return tab;
    }),
  );
  selectTab(message, views.keys().next().value);
}

function selectTab(message, name) {
  for (const tab of page.tabs.children) {
    const selected = tab.id === `tab-${name}`;
    tab.setAttribute('aria-selected', String(selected));
    tab.tabIndex = selected ? 0 : -1;
  }
  page.view.setAttribute('aria-labelledby', `tab-${name}`);
  page.view.replaceChildren(viewsOf(message).get(name)[1]());
}

page.tabs.addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...page.tabs.children];
  const next = tabs.at((tabs.indexOf(document.activeElement) + step) % tabs.length);
  next.click();
  next.focus();
});

// Life

async function refresh() {
  try {
    const response = await fetch('/api/messages');
    messages = await response.json();
    drawMessage();
    drawList();
  } catch {
    page.count.textContent = 'La bandeja no responde; ¿está en marcha el servicio?';
    drawn = undefined;
  }
}

page.search.addEventListener('input', drawList);
page.clear.addEventListener('click', () => {
  if (confirm('¿Borrar todos los mensajes?')) void clear();
});

async function clear() {
  await fetch('/api/messages', { method: 'DELETE' });
  location.hash = '';
  await refresh();
}

addEventListener('hashchange', () => {
  drawMessage();
  drawList();
  if (shownId) page.reader.focus();
});

async function keepFresh() {
  if (!document.hidden) await refresh();
  setTimeout(() => void keepFresh(), REFRESH_MS);
}
void keepFresh();

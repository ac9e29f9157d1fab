// Ways to look at a message. All that comes out of a mail is set as text, never as markup.

export function element(tag, { text, ...attributes } = {}, children = []) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  node.append(...children);
  return node;
}

export function size(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

export const fileUrl = (message, index) => `/api/messages/${message.id}/attachments/${index}`;

/** Name → label and what draws it. */
export function viewsOf(message) {
  const views = new Map();
  if (message.html !== null) views.set('html', ['Mensaje', () => htmlView(message)]);
  if (message.text !== null)
    views.set('text', [message.html === null ? 'Mensaje' : 'Texto', () => letter(message.text)]);
  message.attachments.forEach((file, index) => {
    if (file.contentType !== 'application/pdf') return;
    const src = `${fileUrl(message, index)}#navpanes=0&view=FitH`;
    views.set(`file${index}`, [
      file.filename,
      () => element('iframe', { class: 'document', title: file.filename, src }),
    ]);
  });
  views.set('headers', ['Encabezados', () => headerTable(message.headers)]);
  views.set('source', ['Original', () => sourceView(message)]);
  return views;
}

function htmlView(message) {
  // Without allow-scripts nothing in the mail runs; the shared origin only lets us measure its height.
  const frame = element('iframe', {
    title: 'Mensaje',
    sandbox: 'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    src: `/api/messages/${message.id}/html`,
  });
  const fit = () => {
    const height = frame.contentDocument?.documentElement.scrollHeight;
    if (height) frame.style.height = `${height + 2}px`;
  };
  frame.addEventListener('load', () => {
    fit();
    if (frame.contentDocument?.body) new ResizeObserver(fit).observe(frame.contentDocument.body);
  });
  return frame;
}

const letter = (text) => element('pre', { class: 'letter', text });

function headerTable(headers) {
  const rows = Object.entries(headers).map(([name, value]) =>
    element('tr', {}, [element('th', { scope: 'row', text: name }), element('td', { text: value })]),
  );
  return element('table', { class: 'headers' }, [element('tbody', {}, rows)]);
}

function sourceView(message) {
  const view = element('pre', { text: 'Cargando…' });
  fetch(`/api/messages/${message.id}/source`)
    .then((response) => response.text())
    .then(
      (text) => (view.textContent = text),
      () => (view.textContent = 'No se pudo leer.'),
    );
  return view;
}

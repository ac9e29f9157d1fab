// Drag and drop on the board: see console/pipeline/board-page.ts. Without it the buttons of the cards do the same.

const board = document.querySelector('[data-board]');
let dragged;

const prepare = () => {
  for (const card of board.querySelectorAll('[data-quote]')) card.draggable = true;
};

/** Posts the move and shows the board of the response; a response without one is shown as a page. */
async function move(address, status) {
  if (board.ariaBusy === 'true') return;
  board.ariaBusy = 'true';
  const body = new URLSearchParams({ status });
  const response = await fetch(address, { method: 'POST', body });
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('[data-board]');
  if (!fresh) return location.reload();
  board.replaceChildren(...fresh.childNodes);
  board.ariaBusy = 'false';
  prepare();
  board.querySelector('[data-focus]')?.focus();
}

// Without an answer it is unknown whether the quote moved.
const start = (address, status) => move(address, status).catch(() => location.reload());

board.addEventListener('dragstart', (event) => {
  dragged = event.target.closest('[data-quote]');
  event.dataTransfer.effectAllowed = 'move';
  event.dataTransfer.setData('text/plain', dragged.id);
});
board.addEventListener('dragend', () => {
  dragged = undefined;
  mark(undefined);
});

const stageAt = (event) => (dragged ? event.target.closest('[data-stage]') : undefined);
const mark = (stage) => {
  for (const each of board.querySelectorAll('[data-stage]')) each.classList.toggle('is-target', each === stage);
};

board.addEventListener('dragover', (event) => {
  const stage = stageAt(event);
  mark(stage);
  if (stage) event.preventDefault();
});
board.addEventListener('drop', (event) => {
  const stage = stageAt(event);
  if (!stage) return;
  event.preventDefault();
  if (!stage.contains(dragged)) start(dragged.dataset.quote, stage.dataset.stage);
});

// The buttons change the board without loading the page.
board.addEventListener('submit', (event) => {
  event.preventDefault();
  start(event.target.action, event.submitter.value);
});

prepare();

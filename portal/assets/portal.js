import SignaturePad from './signature_pad.js';

// What the page gains by a script: a drawn signature, checks before anything is sent, the reader's own time, a button
// that copies. Without it the forms still work.
document.documentElement.classList.add('js');

const inWords = new Intl.DateTimeFormat('es-MX', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});
for (const time of document.querySelectorAll('time[data-moment]')) {
  time.textContent = inWords.format(new Date(time.dateTime));
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', () => void copy(button));
}

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  const label = button.firstChild;
  label.textContent = 'Copiada';
  document.getElementById('copied').textContent = 'La CLABE se copió.';
  setTimeout(() => {
    label.textContent = 'Copiar';
  }, 3000);
}

const form = document.querySelector('[data-accept]');
if (form) prepare(form);
for (const each of document.querySelectorAll('form')) {
  each.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    const button = each.querySelector('[type=submit]');
    // A second press would do no harm; it would only look as if the first had not worked.
    if (each.dataset.sent) return event.preventDefault();
    each.dataset.sent = 'yes';
    button.setAttribute('aria-disabled', 'true');
    button.textContent = 'Enviando…';
  });
}
// A page that comes back from the browser's memory was never sent.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

function prepare(form) {
  form.noValidate = true;
  const { signerName, signerEmail, consent, signatureData } = form.elements;
  const canvas = form.querySelector('canvas');
  const draw = form.querySelector('[data-draw]');
  const typed = form.querySelector('[data-typed]');
  const preview = form.querySelector('[data-preview]');
  const pad = new SignaturePad(canvas, { penColor: '#14213d', minWidth: 0.8, maxWidth: 2.8 });
  const isDrawn = () => form.elements.signatureType.value === 'drawn';

  const showName = () => (preview.textContent = signerName.value.trim());
  signerName.addEventListener('input', showName);
  showName();

  /** As many pixels as the screen has, or lines would be blurred. What was drawn is kept. */
  const fit = () => {
    const ratio = Math.max(devicePixelRatio || 1, 1);
    const strokes = pad.toData();
    canvas.width = canvas.offsetWidth * ratio;
    canvas.height = canvas.offsetHeight * ratio;
    canvas.getContext('2d').scale(ratio, ratio);
    pad.clear();
    pad.fromData(strokes);
  };
  const choose = () => {
    draw.hidden = !isDrawn();
    typed.hidden = isDrawn();
    if (isDrawn()) fit();
    say('signature', '');
  };
  for (const radio of form.querySelectorAll('[name=signatureType]')) radio.addEventListener('change', choose);
  addEventListener('resize', () => isDrawn() && fit());
  // The browser may have kept the choice from before a reload.
  choose();
  form.querySelector('[data-clear]').addEventListener('click', () => pad.clear());
  pad.addEventListener('beginStroke', () => say('signature', ''));

  function say(name, message) {
    form.querySelector(`[data-error=${name}]`).textContent = message;
    const input = form.elements[name];
    if (!(input instanceof HTMLInputElement)) return;
    if (message) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  }

  function problems() {
    const name = signerName.value.trim() ? '' : 'Escriba su nombre completo.';
    const email = signerEmail.validity.valid ? '' : 'Escriba un correo electrónico válido, como nombre@ejemplo.com.';
    const signature = isDrawn() && pad.isEmpty() ? 'Dibuje su firma o elija escribirla.' : '';
    const agreed = consent.checked ? '' : 'Marque la casilla para aceptar.';
    return Object.entries({ signerName: name, signerEmail: email, signature, consent: agreed });
  }

  // What was wrong is cleared as soon as it is right. Nothing new is said before the form is sent: a sentence that
  // appears when a field is left would move the button under the finger that is pressing it.
  for (const [name, input] of Object.entries({ signerName, signerEmail, consent })) {
    input.addEventListener('input', () => {
      if (!Object.fromEntries(problems())[name]) say(name, '');
    });
  }

  form.addEventListener('submit', (event) => {
    const all = problems();
    for (const [name, message] of all) say(name, message);
    const wrong = all.filter(([, message]) => message);
    const live = form.querySelector('[data-live]');
    live.textContent = wrong.map(([, message]) => message).join(' ');
    const [first] = wrong;
    if (first) {
      event.preventDefault();
      document.getElementById(first[0]).focus();
      return;
    }
    signatureData.value = isDrawn() ? pad.toDataURL('image/png') : '';
  });
}

import { loadFontFor } from './signature-font.js';
import SignaturePad from './signature_pad.js';

/** The drawn signature and the validation of the acceptance form. Returns a function that tells whether it is valid. */
export function prepareAcceptance(form) {
  form.noValidate = true;
  const { signerName, signerEmail, consent, signatureData } = form.elements;
  const canvas = form.querySelector('canvas');
  const draw = form.querySelector('[data-draw]');
  const typed = form.querySelector('[data-typed]');
  const preview = form.querySelector('[data-preview]');
  const pad = new SignaturePad(canvas, { penColor: '#14213d', minWidth: 0.8, maxWidth: 2.8 });
  const isDrawn = () => form.elements.signatureType.value === 'drawn';

  const showName = () => {
    const name = signerName.value.trim();
    preview.textContent = name;
    loadFontFor(name);
    preview.classList.toggle('long', name.length > 30 && name.length <= 80);
    preview.classList.toggle('longest', name.length > 80);
  };
  signerName.addEventListener('input', showName);
  showName();

  /** Matches the canvas to the resolution of the screen, or lines would be blurred. Keeps the drawing. */
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
  // Not a listener of the window, which would outlive the form.
  new ResizeObserver(() => isDrawn() && fit()).observe(canvas);
  // The browser may restore the choice after a reload.
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
    // The messages come from the page, in its language.
    const name = signerName.value.trim() ? '' : signerName.dataset.invalid;
    const email = signerEmail.validity.valid ? '' : signerEmail.dataset.invalid;
    const signature = isDrawn() && pad.isEmpty() ? draw.dataset.invalid : '';
    const agreed = consent.checked ? '' : consent.dataset.invalid;
    return Object.entries({ signerName: name, signerEmail: email, signature, consent: agreed });
  }

  // Errors are cleared as soon as they are corrected, but new ones appear only on submit: a message that appears on
  // blur would move the button while it is pressed.
  for (const [name, input] of Object.entries({ signerName, signerEmail, consent })) {
    input.addEventListener('input', () => {
      if (!Object.fromEntries(problems())[name]) say(name, '');
    });
  }

  return () => {
    const all = problems();
    for (const [name, message] of all) say(name, message);
    const wrong = all.filter(([, message]) => message);
    form.querySelector('[data-live]').textContent = wrong.map(([, message]) => message).join(' ');
    const [first] = wrong;
    if (first) document.getElementById(first[0]).focus();
    else signatureData.value = isDrawn() ? pad.toDataURL('image/png') : '';
    return !first;
  };
}

// Shows a colour while it is chosen: see console/settings/branding-page.ts.

const isColor = (text) => /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text);
const six = (color) => (color.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color).toLowerCase();

for (const field of document.querySelectorAll('[data-color]')) {
  const name = field.dataset.color;
  const fills = [...document.querySelectorAll(`[data-fill="${name}"]`)].map((shape) => [
    shape,
    shape.getAttribute('fill'),
  ]);
  const picker = document.createElement('input');
  picker.type = 'color';
  picker.className = 'picker';
  picker.value = '#1f4e79';
  picker.setAttribute('aria-label', `${field.labels[0].firstChild.textContent.trim()}: elegir`);
  field.closest('.color').append(picker);

  const show = () => {
    const color = isColor(field.value) ? six(field.value) : undefined;
    if (color) picker.value = color;
    for (const [shape, saved] of fills) shape.setAttribute('fill', color ?? saved);
  };
  field.addEventListener('input', show);
  picker.addEventListener('input', () => {
    field.value = picker.value.toUpperCase();
    show();
  });
  show();
}

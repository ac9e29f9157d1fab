/**
 * On a phone, shows the two buttons at the bottom edge while neither the buttons at the top nor the forms are visible.
 */
export function dock() {
  const bar = document.querySelector('[data-dock]');
  if (!bar) return;
  const inSight = new Set();
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) inSight.add(target);
      else inSight.delete(target);
    }
    bar.hidden = inSight.size > 0;
  });
  for (const place of document.querySelectorAll('[data-answers]')) observer.observe(place);
}

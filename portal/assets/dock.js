/**
 * On a phone the two answers stay within reach at the lower edge, while neither those at the top of the page nor the
 * forms are in sight.
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

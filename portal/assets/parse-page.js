/** The document of a response. */
export function parsePage(html) {
  // Without its style element: the policy of this page does not allow that of another response.
  return new DOMParser().parseFromString(html.replace(/<style[\s\S]*?<\/style>/, ''), 'text/html');
}

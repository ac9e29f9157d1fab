/** The header for a file name (RFC 6266): a plain name for old readers, the real one encoded beside it. */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const plain = filename.replace(/[^\w.() -]/g, '_');
  const encoded = encodeURIComponent(filename.replace(/\p{Cs}/gu, '_')).replace(/['()*]/g, percentEncoded);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const percentEncoded = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

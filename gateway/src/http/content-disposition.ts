/** What RFC 8187 allows in an extended value, besides letters and digits: encodeURIComponent leaves these as they are. */
const NOT_ALLOWED = /['()*]/g;

/**
 * The header of a file that is saved, never shown (RFC 6266). The plain name has only visible ASCII, for old clients; the
 * other one has all characters.
 */
export function attachmentNamed(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    NOT_ALLOWED,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

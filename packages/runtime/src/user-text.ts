const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text of a user as one line, for a header or a line of a mail: a line end in a header would begin another header. */
export const oneLine = (text: string): string => text.replace(/\p{C}+|[\u2028\u2029]+/gu, " ").trim();

/** A text of a user as one line of HTML. */
export const escapeHtml = (text: string): string =>
  oneLine(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

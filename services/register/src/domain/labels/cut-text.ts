const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * The text if it fits, else its longest beginning that fits with an ellipsis. Characters of several code points are kept
 * whole. Line ends and other control characters become spaces. Empty if not even the ellipsis fits.
 */
export function cutText(text: string, fits: (text: string) => boolean): string {
  const plain = text.replace(/\p{Cc}+/gu, " ").trim();
  if (fits(plain)) return plain;
  const parts = Array.from(graphemes.segment(plain), ({ segment }) => segment);
  const cut = (count: number) => `${parts.slice(0, count).join("").trimEnd()}…`;
  if (!fits(cut(0))) return "";
  let [least, most] = [0, parts.length - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(cut(middle))) least = middle;
    else most = middle - 1;
  }
  return cut(least);
}

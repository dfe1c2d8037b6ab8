/** The characters of serials: table A-1 of the GS1 EPC Tag Data Standard. */
const CHARACTERS = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]+$/;
/** In URIs, some of them are escaped, and only those. */
const ESCAPED = /^(?:[!'()*+,\-.0-9:;=A-Z_a-z]|%2[256F]|%3[CEF])+$/i;
const CHARACTER_BITS = 7n;

/** The text of a field: 7 bits a character, then zeros. Undefined when it is not such a text. */
export function readText(value: bigint, bits: number, most: number): string | undefined {
  let text = "";
  let rest = bits;
  for (; rest >= 7; rest -= 7) {
    const code = Number((value >> BigInt(rest - 7)) & 0x7fn);
    if (code === 0) break;
    text += String.fromCharCode(code);
  }
  const isPadded = (value & ((1n << BigInt(rest)) - 1n)) === 0n;
  return isPadded && text.length <= most && CHARACTERS.test(text) ? text : undefined;
}

/** The field of a text. Undefined when it is empty, too long or has other characters. */
export function writeText(text: string, bits: number, most: number): bigint | undefined {
  if (text.length > most || !CHARACTERS.test(text)) return undefined;
  let value = 0n;
  for (const character of text) value = (value << CHARACTER_BITS) | BigInt(character.charCodeAt(0));
  return value << (BigInt(bits) - CHARACTER_BITS * BigInt(text.length));
}

/** The text of a part of a URI. Undefined when it has characters that must be escaped, or other escapes. */
export function unescapeText(part: string): string | undefined {
  return ESCAPED.test(part) ? decodeURIComponent(part) : undefined;
}

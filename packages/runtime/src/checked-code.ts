import { randomBytes } from "node:crypto";

/** Crockford's base32: digits and capitals without I, L, O and U, which people confuse with others. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * A random code of `length` characters for labels that people also type: Crockford's base32, of which the last one is
 * the check character. 12 characters have 55 random bits.
 */
export function newCheckedCode(length: number): string {
  const characters = Array.from(randomBytes(length - 1), (byte) => ALPHABET[byte % ALPHABET.length]);
  const text = characters.join("");
  return text + checkCharacter(text);
}

/**
 * Whether a text is a code of this length with a valid check character. It finds each single wrong character, and each
 * swap of two unlike neighbours but 0 and Z.
 */
export function isCheckedCode(text: string, length: number): boolean {
  if (text.length !== length || [...text].some((one) => !ALPHABET.includes(one))) return false;
  return text.endsWith(checkCharacter(text.slice(0, -1)));
}

/** The check character of a text in the alphabet: Luhn's algorithm mod 32 (ISO/IEC 7812-1, annex B, generalised). */
function checkCharacter(text: string): string {
  const { length: base } = ALPHABET;
  let sum = 0;
  // From the right, each second value is doubled, and its two digits of the base are added.
  [...text].reverse().forEach((character, index) => {
    const value = ALPHABET.indexOf(character) * (index % 2 === 0 ? 2 : 1);
    sum += Math.floor(value / base) + (value % base);
  });
  return ALPHABET.charAt((base - (sum % base)) % base);
}

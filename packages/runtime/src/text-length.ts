/** The length of a text in characters (Unicode code points), as JSON Schema and zod count them; not in UTF-16 units. */
export const lengthOf = (text: string): number => [...text].length;

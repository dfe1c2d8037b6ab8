/** The length of a text in Unicode code points, as JSON Schema and zod count it. `text.length` counts UTF-16 units. */
export const lengthOf = (text: string): number => [...text].length;

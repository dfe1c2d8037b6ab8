/** The limits of the API (register.md, Import). */
export const MAX_ROWS = 100_000;
export const MAX_BYTES = 128 * 1_024 * 1_024;

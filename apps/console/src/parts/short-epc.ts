const ENDS = 4;

/** The two ends of the code of a tag, which distinguish tags: "3034…9012". A short code stays whole. */
export const shortEpc = (epc: string): string =>
  epc.length <= 2 * ENDS + 1 ? epc : `${epc.slice(0, ENDS)}…${epc.slice(-ENDS)}`;

/** The code that was scanned last. It is part of the address, so that a reload shows it again. */
export type ScanSearch = { code?: string };

/** Reads the search of an address. The router reads a number from "?code=4006381333931". */
export const parseScanSearch = ({ code }: Record<string, unknown>): ScanSearch =>
  (typeof code === "string" && code !== "") || typeof code === "number" ? { code: String(code) } : {};

/** Encodings of files that spreadsheets write. */
export const encodings = ["utf-8", "windows-1252", "windows-1250", "windows-1251", "utf-16le"] as const;
export type Encoding = (typeof encodings)[number];

/** Beginnings of files that people choose by mistake. */
const others: readonly { bytes: readonly number[]; kind: "workbook" | "pdf" }[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], kind: "workbook" },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], kind: "workbook" },
  { bytes: [0x25, 0x50, 0x44, 0x46], kind: "pdf" },
];

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

/** The kind of a file that is no text. */
export const otherKindOf = (bytes: Uint8Array): "workbook" | "pdf" | undefined =>
  others.find(({ bytes: start }) => startsWith(bytes, start))?.kind;

/** The text of a file. Without an encoding: what its mark says, UTF-8 if all of it is, else that of Windows. */
export function decodeText(bytes: Uint8Array, wanted?: Encoding): { text: string; encoding: Encoding } {
  if (wanted !== undefined) return { text: new TextDecoder(wanted).decode(bytes), encoding: wanted };
  if (startsWith(bytes, [0xff, 0xfe])) return decodeText(bytes, "utf-16le");
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    return decodeText(bytes, "windows-1252");
  }
}

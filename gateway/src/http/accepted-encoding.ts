/** The encodings of a text, the best one first. */
const ENCODINGS = ["br", "gzip"] as const;

/** The best encoding that an Accept-Encoding header names without the weight 0; undefined if it names none. */
export function acceptedEncoding(header: string | string[] = ""): (typeof ENCODINGS)[number] | undefined {
  const accepted = String(header)
    .toLowerCase()
    .split(",")
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(";", 1)[0]?.trim() ?? "");
  return ENCODINGS.find((name) => accepted.includes(name));
}

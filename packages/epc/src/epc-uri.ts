import { bitsOf, encodeIdentity, type GsIdentity, type GsScheme } from "./epc-schemes.ts";
import { unescapeText } from "./epc-text.ts";

const URI = /^urn:epc:(id|tag):(sgtin|sscc|sgln|grai|giai)(?:-(\d{2,3}))?:(.+)$/;
const RAW = /^urn:epc:raw:(\d{1,3})\.x([0-9A-Fa-f]+)$/;
const FILTER = /^([0-7])\.(.+)$/;

type Parts = Pick<GsIdentity, "companyPrefix" | "reference" | "serial">;

/** Company prefix, reference and serial. Serials may contain dots. */
const PARTS: Record<GsScheme, RegExp> = {
  sgtin: /^(?<company>\d{6,12})\.(?<reference>\d{1,7})\.(?<serial>.+)$/,
  sscc: /^(?<company>\d{6,12})\.(?<reference>\d{5,11})$/,
  sgln: /^(?<company>\d{6,12})\.(?<reference>\d{0,6})\.(?<serial>.+)$/,
  grai: /^(?<company>\d{6,12})\.(?<reference>\d{0,6})\.(?<serial>.+)$/,
  giai: /^(?<company>\d{6,12})\.(?<serial>.+)$/,
};

/**
 * The code of an EPC URI in upper-case hex: SGTIN, SSCC, SGLN, GRAI and GIAI in each of their lengths, and raw codes in
 * hex. A pure identity gets filter 0 and the shortest code that it fits. Undefined for other schemes and lengths, and
 * when a part is too long.
 */
export function epcFromUri(uri: string): string | undefined {
  const raw = RAW.exec(uri);
  if (raw !== null) return fromRaw(Number(raw[1]), raw[2] ?? "");
  const match = URI.exec(uri);
  if (match === null) return undefined;
  const [, form, name, size, rest = ""] = match;
  // The cast: URI names only schemes.
  const scheme = name as GsScheme;
  if (form === "id") return size === undefined ? encodeFirst(scheme, bitsOf(scheme), 0, rest) : undefined;
  const [, filter = "", parts = ""] = FILTER.exec(rest) ?? [];
  if (filter === "" || size === undefined) return undefined;
  return encodeFirst(scheme, [Number(size)], Number(filter), parts);
}

function fromRaw(bits: number, hex: string): string | undefined {
  const fits = bits % 16 === 0 && bits >= 16 && bits <= 496 && hex.length === bits / 4;
  return fits ? hex.toUpperCase() : undefined;
}

function encodeFirst(scheme: GsScheme, lengths: number[], filter: number, text: string): string | undefined {
  const parts = parseParts(scheme, text);
  if (parts === undefined) return undefined;
  for (const bits of lengths) {
    const code = encodeIdentity({ scheme, bits, filter, ...parts });
    if (code !== undefined) return code;
  }
  return undefined;
}

function parseParts(scheme: GsScheme, text: string): Parts | undefined {
  const { company, reference = "", serial = "" } = PARTS[scheme].exec(text)?.groups ?? {};
  const plain = serial === "" ? "" : unescapeText(serial);
  if (company === undefined || plain === undefined) return undefined;
  return { companyPrefix: company, reference, serial: plain };
}

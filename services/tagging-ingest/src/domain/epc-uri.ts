import { encodeIdentity, type GsIdentity } from "./epc-schemes.ts";

const URI = /^urn:epc:(id|tag):(sgtin|grai|giai)(-96)?:(.+)$/;
const RAW = /^urn:epc:raw:(\d{1,3})\.x([0-9A-Fa-f]+)$/;
const DIGITS = /^\d{1,20}$/;
const NUMBER = /^(?:0|[1-9]\d{0,19})$/;

/**
 * The code of an EPC URI in upper-case hex: 96-bit SGTIN, GRAI and GIAI, and raw codes in hex. A pure identity gets
 * filter 0. Undefined for other schemes and sizes, and when a part is too long.
 */
export function epcFromUri(uri: string): string | undefined {
  const raw = RAW.exec(uri);
  if (raw !== null) return fromRaw(Number(raw[1]), raw[2] ?? "");
  const match = URI.exec(uri);
  if (match === null) return undefined;
  const [, form, scheme, size, rest = ""] = match;
  if ((form === "tag") !== (size !== undefined)) return undefined;
  const parts = rest.split(".");
  const filter = form === "tag" ? parts.shift() : "0";
  if (filter === undefined || !/^[0-7]$/.test(filter)) return undefined;
  return fromParts(schemeOf(scheme), Number(filter), parts);
}

function fromRaw(bits: number, hex: string): string | undefined {
  const fits = bits % 16 === 0 && bits >= 16 && bits <= 496 && hex.length === bits / 4;
  return fits ? hex.toUpperCase() : undefined;
}

function fromParts(scheme: GsIdentity["scheme"], filter: number, parts: string[]): string | undefined {
  if (parts.length !== (scheme === "giai" ? 2 : 3)) return undefined;
  const [companyPrefix = "", middle = "", last = ""] = parts;
  const [reference, serial] = scheme === "giai" ? ["", middle] : [middle, last];
  if (!DIGITS.test(companyPrefix) || !(reference === "" || DIGITS.test(reference))) return undefined;
  // Only numbers without leading zeros have a 96-bit form.
  if (!NUMBER.test(serial)) return undefined;
  return encodeIdentity({ scheme, filter, companyPrefix, reference, serial });
}

function schemeOf(text: string | undefined): GsIdentity["scheme"] {
  if (text === "grai" || text === "giai") return text;
  return "sgtin";
}

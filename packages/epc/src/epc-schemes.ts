import { readText, writeText } from "./epc-text.ts";

export type GsScheme = "sgtin" | "sscc" | "sgln" | "grai" | "giai";

/** A GS1 identity in one of its binary codes. Numbers are texts of digits, because leading zeros count. */
export type GsIdentity = {
  scheme: GsScheme;
  /** The bits of the code: the standard has a short one with numeric serials and a long one with texts. */
  bits: number;
  filter: number;
  companyPrefix: string;
  /** The item reference with its indicator, the serial reference, the location or the asset type. Empty for GIAI. */
  reference: string;
  /** The serial, the extension, or the individual asset reference of a GIAI. Empty for SSCC. */
  serial: string;
};

type Coding = {
  scheme: GsScheme;
  header: number;
  bits: number;
  /** The digits of company prefix and reference together, and their bits. Undefined without a reference. */
  reference?: { digits: number; bits: number };
  serial: "none" | "number" | "text";
  /** The characters of a text: up to `most`, or up to `together` less those of the company prefix. */
  characters?: { most: number } | { together: number };
};

/**
 * The bits of a company prefix of 12 down to 6 digits: the same column in all partition tables of the GS1 EPC Tag Data
 * Standard (release 1.6, section 14.5).
 */
const COMPANY_BITS = [40, 37, 34, 30, 27, 24, 20];
/** Header, filter and partition. */
const PREFIX_BITS = 14;

/**
 * The binary codings of the GS1 EPC Tag Data Standard 1.6, by the coding tables of its section 14.5; headers are in
 * section 14.2. The short coding of a scheme comes first.
 */
const CODINGS: Coding[] = [
  { scheme: "sgtin", header: 0x30, bits: 96, reference: { digits: 13, bits: 44 }, serial: "number" },
  {
    ...{ scheme: "sgtin", header: 0x36, bits: 198, reference: { digits: 13, bits: 44 } },
    ...{ serial: "text", characters: { most: 20 } },
  },
  // The 24 bits after the reference are reserved.
  { scheme: "sscc", header: 0x31, bits: 96, reference: { digits: 17, bits: 58 }, serial: "none" },
  { scheme: "sgln", header: 0x32, bits: 96, reference: { digits: 12, bits: 41 }, serial: "number" },
  {
    ...{ scheme: "sgln", header: 0x39, bits: 195, reference: { digits: 12, bits: 41 } },
    ...{ serial: "text", characters: { most: 20 } },
  },
  { scheme: "grai", header: 0x33, bits: 96, reference: { digits: 12, bits: 44 }, serial: "number" },
  {
    ...{ scheme: "grai", header: 0x37, bits: 170, reference: { digits: 12, bits: 44 } },
    ...{ serial: "text", characters: { most: 16 } },
  },
  { scheme: "giai", header: 0x34, bits: 96, serial: "number" },
  { scheme: "giai", header: 0x38, bits: 202, serial: "text", characters: { together: 30 } },
];

const BY_HEADER = new Map(
  CODINGS.map((coding) => [coding.header.toString(16).padStart(2, "0"), coding] as const),
);

/** The hex digits of a code. A tag stores whole words of 16 bits. */
const hexDigits = (bits: number): number => Math.ceil(bits / 16) * 4;

/** The lengths of the codes of a scheme in bits, the short one first. */
export function bitsOf(scheme: GsScheme): number[] {
  return CODINGS.filter((coding) => coding.scheme === scheme).map(({ bits }) => bits);
}

/** The GS1 identity in a code of upper-case hex. Undefined for other headers, and for values that have no URI. */
export function identityOf(epc: string): GsIdentity | undefined {
  const coding = BY_HEADER.get(epc.slice(0, 2));
  if (coding === undefined || epc.length !== hexDigits(coding.bits)) return undefined;
  const code = BigInt(`0x${epc}`);
  const field = (offset: number, width: number) =>
    (code >> BigInt(epc.length * 4 - offset - width)) & mask(width);
  const partition = Number(field(11, 3));
  const companyBits = COMPANY_BITS[partition];
  if (companyBits === undefined) return undefined;
  const layout = layoutOf(coding, 12 - partition, companyBits);
  const company = digitsOf(field(PREFIX_BITS, companyBits), 12 - partition);
  const reference = digitsOf(field(PREFIX_BITS + companyBits, layout.referenceBits), layout.referenceDigits);
  const serialAt = PREFIX_BITS + companyBits + layout.referenceBits;
  const serial = readSerial(coding, field(serialAt, layout.serialBits), layout);
  const padding = field(coding.bits, epc.length * 4 - coding.bits);
  if (company === undefined || reference === undefined || serial === undefined || padding !== 0n)
    return undefined;
  const { scheme, bits } = coding;
  return { scheme, bits, filter: Number(field(8, 3)), companyPrefix: company, reference, serial };
}

/** The code of an identity in upper-case hex. Undefined when a part does not fit. */
export function encodeIdentity(identity: GsIdentity): string | undefined {
  const { scheme, bits, filter, companyPrefix, reference, serial } = identity;
  const coding = CODINGS.find((known) => known.scheme === scheme && known.bits === bits);
  const partition = 12 - companyPrefix.length;
  const companyBits = COMPANY_BITS[partition];
  if (coding === undefined || companyBits === undefined || filter < 0 || filter > 7) return undefined;
  const layout = layoutOf(coding, companyPrefix.length, companyBits);
  if (reference.length !== layout.referenceDigits) return undefined;
  const serialValue = writeSerial(coding, serial, layout);
  if (serialValue === undefined) return undefined;
  let code = BigInt(coding.header);
  const append = (value: bigint, size: number) => {
    code = (code << BigInt(size)) | value;
  };
  append(BigInt(filter), 3);
  append(BigInt(partition), 3);
  append(BigInt(companyPrefix), companyBits);
  append(BigInt(reference === "" ? "0" : reference), layout.referenceBits);
  append(serialValue, layout.serialBits);
  append(0n, hexDigits(bits) * 4 - bits);
  return code.toString(16).toUpperCase();
}

type Layout = { referenceDigits: number; referenceBits: number; serialBits: number; characters: number };

function layoutOf(
  { bits, reference, characters }: Coding,
  companyDigits: number,
  companyBits: number,
): Layout {
  const referenceBits = reference === undefined ? 0 : reference.bits - companyBits;
  return {
    referenceDigits: reference === undefined ? 0 : reference.digits - companyDigits,
    referenceBits,
    serialBits: bits - PREFIX_BITS - companyBits - referenceBits,
    characters:
      characters === undefined
        ? 0
        : "most" in characters
          ? characters.most
          : characters.together - companyDigits,
  };
}

/** Undefined when the value has more digits. A field of no digits is 0. */
function digitsOf(value: bigint, digits: number): string | undefined {
  if (digits === 0) return value === 0n ? "" : undefined;
  const text = value.toString().padStart(digits, "0");
  return text.length > digits ? undefined : text;
}

function readSerial({ serial }: Coding, value: bigint, layout: Layout): string | undefined {
  if (serial === "text") return readText(value, layout.serialBits, layout.characters);
  if (serial === "number") return value.toString();
  return value === 0n ? "" : undefined;
}

function writeSerial({ serial: kind }: Coding, serial: string, layout: Layout): bigint | undefined {
  if (kind === "text") return writeText(serial, layout.serialBits, layout.characters);
  if (kind === "none") return serial === "" ? 0n : undefined;
  // Only numbers without leading zeros have a short code.
  if (!/^(?:0|[1-9]\d{0,24})$/.test(serial)) return undefined;
  const value = BigInt(serial);
  return value >> BigInt(layout.serialBits) === 0n ? value : undefined;
}

function mask(width: number): bigint {
  return (1n << BigInt(width)) - 1n;
}

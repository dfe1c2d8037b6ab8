/** A GS1 identity of a 96-bit scheme. Numbers are texts of digits, because leading zeros count. */
export type GsIdentity = {
  scheme: "sgtin" | "grai" | "giai";
  filter: number;
  companyPrefix: string;
  /** The item reference with its indicator, or the asset type. Empty for GIAI. */
  reference: string;
  /** The serial, or the individual asset reference of a GIAI. */
  serial: string;
};

type Scheme = {
  header: number;
  /** The digits of company prefix and reference together. Undefined without a reference. */
  digits: number | undefined;
  serialBits: (companyBits: number) => number;
};

/**
 * The bits of a company prefix of 12 down to 6 digits: the partition tables of SGTIN-96, GRAI-96 and GIAI-96 in the
 * GS1 EPC Tag Data Standard.
 */
const COMPANY_BITS = [40, 37, 34, 30, 27, 24, 20];
/** In SGTIN and GRAI, company prefix and reference share 44 bits. */
const COMPANY_AND_REFERENCE_BITS = 44;

const SCHEMES: Record<GsIdentity["scheme"], Scheme> = {
  sgtin: { header: 0x30, digits: 13, serialBits: () => 38 },
  grai: { header: 0x33, digits: 12, serialBits: () => 38 },
  giai: { header: 0x34, digits: undefined, serialBits: (companyBits) => 82 - companyBits },
};

/** The GS1 identity in a 96-bit code. Undefined for other headers. */
export function identityOf(epc: string): GsIdentity | undefined {
  const scheme = epc.length === 24 ? schemeOf(epc.slice(0, 2)) : undefined;
  if (scheme === undefined) return undefined;
  const bits = BigInt(`0x${epc}`);
  const field = (offset: number, width: number) => (bits >> BigInt(96 - offset - width)) & mask(width);
  const partition = Number(field(11, 3));
  const companyBits = COMPANY_BITS[partition];
  if (companyBits === undefined) return undefined;
  const { digits, serialBits } = SCHEMES[scheme];
  const companyDigits = 12 - partition;
  const company = field(14, companyBits).toString().padStart(companyDigits, "0");
  const referenceBits = digits === undefined ? 0 : bitsOfReference(scheme, companyBits);
  const referenceDigits = digits === undefined ? 0 : digits - companyDigits;
  const value = field(14 + companyBits, referenceBits);
  const reference = referenceDigits === 0 ? "" : value.toString().padStart(referenceDigits, "0");
  const width = serialBits(companyBits);
  const serial = field(96 - width, width).toString();
  if (company.length > companyDigits || reference.length > referenceDigits) return undefined;
  if (referenceDigits === 0 && value !== 0n) return undefined;
  return { scheme, filter: Number(field(8, 3)), companyPrefix: company, reference, serial };
}

/** The 96-bit code of an identity in upper-case hex. Undefined when a part is too long. */
export function encodeIdentity(identity: GsIdentity): string | undefined {
  const { scheme, filter, companyPrefix, reference, serial } = identity;
  const { header, digits, serialBits } = SCHEMES[scheme];
  const partition = 12 - companyPrefix.length;
  const companyBits = COMPANY_BITS[partition];
  if (companyBits === undefined || filter < 0 || filter > 7) return undefined;
  if (reference.length !== (digits === undefined ? 0 : digits - companyPrefix.length)) return undefined;
  const width = serialBits(companyBits);
  const serialValue = BigInt(serial);
  if (serialValue >> BigInt(width) !== 0n) return undefined;
  const referenceBits = digits === undefined ? 0 : bitsOfReference(scheme, companyBits);
  let bits = BigInt(header);
  const append = (value: bigint, size: number) => {
    bits = (bits << BigInt(size)) | value;
  };
  append(BigInt(filter), 3);
  append(BigInt(partition), 3);
  append(BigInt(companyPrefix), companyBits);
  append(BigInt(reference === "" ? "0" : reference), referenceBits);
  append(serialValue, width);
  return bits.toString(16).toUpperCase().padStart(24, "0");
}

function schemeOf(header: string): GsIdentity["scheme"] | undefined {
  if (header === "30") return "sgtin";
  if (header === "33") return "grai";
  return header === "34" ? "giai" : undefined;
}

function bitsOfReference(scheme: GsIdentity["scheme"], companyBits: number): number {
  return scheme === "giai" ? 0 : COMPANY_AND_REFERENCE_BITS - companyBits;
}

function mask(width: number): bigint {
  return (1n << BigInt(width)) - 1n;
}

import type { Parameter } from "./codec.ts";
import { TLV } from "./protocol.ts";

/** What a reader says of itself in the answer to GET_READER_CAPABILITIES. */
export type Capabilities = {
  /** For people. */
  about: string;
  /** It can hold reports after a connection has ended. */
  holdsReports: boolean;
  /** It can say that its buffer fills. */
  warnsOfFullBuffer: boolean;
};

/** Bits of the first byte of LLRPCapabilities. */
const CAN_WARN = 0x40;
const CAN_HOLD = 0x08;

export function parseCapabilities(parameters: readonly Parameter[]): Capabilities {
  const find = (wanted: number) => parameters.find(({ type }) => type === wanted)?.value;
  const flags = find(TLV.llrpCapabilities)?.at(0) ?? 0;
  return {
    about: describe(find(TLV.generalDeviceCapabilities)),
    holdsReports: (flags & CAN_HOLD) !== 0,
    warnsOfFullBuffer: (flags & CAN_WARN) !== 0,
  };
}

/** GeneralDeviceCapabilities: antennas, flags, manufacturer, model, and the firmware as text with its length. */
function describe(value: Buffer | undefined): string {
  if (value === undefined || value.length < 14) return "LLRP reader";
  const firmware = value.subarray(14, 14 + value.readUInt16BE(12)).toString("utf8");
  const maker = `manufacturer ${value.readUInt32BE(4)}, model ${value.readUInt32BE(8)}`;
  return `LLRP reader, ${maker}, firmware ${firmware}, ${value.readUInt16BE(0)} antennas`;
}

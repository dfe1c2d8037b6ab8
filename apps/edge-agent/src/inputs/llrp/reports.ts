import { noEpc, parseEpc } from "../formats/epc.ts";
import { collect, type Entry, type Parsed } from "../formats/format.ts";
import { parseReaderTime } from "../formats/reader-time.ts";
import { type Parameter, readParameters } from "./codec.ts";
import { LlrpError, TLV, TV } from "./protocol.ts";

/** The reads of an RO_ACCESS_REPORT. What is not understood of it is `unreadable`. */
export function parseReport(body: Buffer): Parsed {
  return collect(
    orReason(() =>
      readParameters(body)
        .filter(({ type }) => type === TLV.tagReportData)
        .flatMap(({ value }) => orReason(() => [toRead(value)])),
    ),
  );
}

function orReason(read: () => Entry[]): Entry[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof LlrpError) return [`A report is not understood. ${error.message}`];
    throw error;
  }
}

function toRead(tag: Buffer): Entry {
  const parameters = readParameters(tag);
  const epcBytes = find(parameters, TV.epc96) ?? epcOf(find(parameters, TLV.epcData));
  const epc = parseEpc(epcBytes?.toString("hex"));
  if (epc === undefined) return noEpc(epcBytes?.toString("hex"));
  return {
    epc,
    at: timeOf(find(parameters, TV.lastSeenUtc) ?? find(parameters, TV.firstSeenUtc)),
    antenna: find(parameters, TV.antennaId)?.readUInt16BE() || undefined,
    rssi: find(parameters, TV.peakRssi)?.readInt8(),
    count: find(parameters, TV.tagSeenCount)?.readUInt16BE() || undefined,
  };
}

const find = (parameters: readonly Parameter[], wanted: number): Buffer | undefined =>
  parameters.find(({ type }) => type === wanted)?.value;

/** EPCData: the number of bits, then the EPC, filled up to whole bytes. */
function epcOf(value: Buffer | undefined): Buffer | undefined {
  if (value === undefined || value.length < 2) return undefined;
  const end = 2 + Math.ceil(value.readUInt16BE() / 8);
  return end > value.length ? undefined : value.subarray(2, end);
}

/** A UTC time is in microseconds. A reader without a clock sends its uptime instead, in another parameter. */
const timeOf = (value: Buffer | undefined): number | undefined =>
  value === undefined ? undefined : parseReaderTime(Number(value.readBigUInt64BE() / 1000n));

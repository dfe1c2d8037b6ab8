import type { Capabilities } from "./capabilities.ts";
import { tlv, u8, u16, u32 } from "./codec.ts";
import { MESSAGE, TLV } from "./protocol.ts";

/** A message of the agent, and its name for people. */
export type Request = { name: string; type: number; body: Buffer };

/** The agent is the only client of the reader, so it needs one ROSpec. */
const RO_SPEC_ID = 1;
/** For DELETE_ROSPEC: all. */
const ALL = 0;
const ALL_ANTENNAS = 0;
const GEN2 = 1;

const BY_START_ROSPEC = u8(0);
const NEVER_BY_ITSELF = tlv(TLV.roSpecStopTrigger, u8(0), u32(0));
/** Of ROReportSpec: after N tags, or at the end of the ROSpec. */
const AFTER_TAGS = u8(2);
/** AntennaID, PeakRSSI, FirstSeenTimestamp, LastSeenTimestamp, TagSeenCount. */
const CONTENT = u16(0x1780);
const ON = u8(0x80);
/** Of EventNotificationState. */
const BUFFER_FILLS = 3;
const READER_EXCEPTION = 4;

/** All of them. */
export const capabilities: Request = {
  name: "GET_READER_CAPABILITIES",
  type: MESSAGE.getReaderCapabilities,
  body: u8(0),
};

export const closeConnection: Request = {
  name: "CLOSE_CONNECTION",
  type: MESSAGE.closeConnection,
  body: Buffer.alloc(0),
};

/**
 * Asks for keepalives and for events about lost reports, and lets the reader hold its reports after a connection has
 * ended, until ENABLE_EVENTS_AND_REPORTS. A reader may refuse what it can't do, so that is left out.
 */
export function setConfig(
  keepaliveMs: number,
  { holdsReports, warnsOfFullBuffer }: Pick<Capabilities, "holdsReports" | "warnsOfFullBuffer">,
): Request {
  const events = warnsOfFullBuffer ? [BUFFER_FILLS, READER_EXCEPTION] : [READER_EXCEPTION];
  const states = events.map((event) => tlv(TLV.eventNotificationState, u16(event), ON));
  const noFactoryReset = u8(0);
  return {
    name: "SET_READER_CONFIG",
    type: MESSAGE.setReaderConfig,
    body: Buffer.concat([
      noFactoryReset,
      tlv(TLV.readerEventNotificationSpec, ...states),
      tlv(TLV.keepaliveSpec, u8(1), u32(keepaliveMs)),
      ...(holdsReports ? [tlv(TLV.eventsAndReports, ON)] : []),
    ]),
  };
}

export const deleteRoSpecs: Request = {
  name: "DELETE_ROSPEC",
  type: MESSAGE.deleteRoSpec,
  body: u32(ALL),
};

/** An inventory of all Gen 2 tags at these antennas (all, if none is named), that reports each `reportTags` tags. */
export function addRoSpec(antennas: readonly number[], reportTags: number): Request {
  const ids = antennas.length === 0 ? [ALL_ANTENNAS] : antennas;
  const boundary = tlv(TLV.roBoundarySpec, tlv(TLV.roSpecStartTrigger, BY_START_ROSPEC), NEVER_BY_ITSELF);
  const inventory = tlv(
    TLV.aiSpec,
    u16(ids.length),
    ...ids.map(u16),
    tlv(TLV.aiSpecStopTrigger, u8(0), u32(0)),
    tlv(TLV.inventoryParameterSpec, u16(1), u8(GEN2)),
  );
  const report = tlv(
    TLV.roReportSpec,
    AFTER_TAGS,
    u16(reportTags),
    tlv(TLV.tagReportContentSelector, CONTENT),
  );
  const priority = u8(0);
  const disabled = u8(0);
  return {
    name: "ADD_ROSPEC",
    type: MESSAGE.addRoSpec,
    body: tlv(TLV.roSpec, u32(RO_SPEC_ID), priority, disabled, boundary, inventory, report),
  };
}

export const enableRoSpec: Request = {
  name: "ENABLE_ROSPEC",
  type: MESSAGE.enableRoSpec,
  body: u32(RO_SPEC_ID),
};

export const startRoSpec: Request = {
  name: "START_ROSPEC",
  type: MESSAGE.startRoSpec,
  body: u32(RO_SPEC_ID),
};

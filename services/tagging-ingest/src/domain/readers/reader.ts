import type { Patch } from "@asset-register/rpc";
import type { Sealed } from "@asset-register/runtime";
import type { JudgedHealth } from "./judged-health.ts";
import { filterText, type ReadFilter } from "./read-filters.ts";

/** Only a fixed portal can say that a tag left. */
export type ReaderKind = "fixed_portal" | "handheld_sled" | "phone";

/**
 * An antenna with a place of its own. Zone and location of the reader are for its other antennas, and for reads without
 * one.
 */
export type ReadPoint = {
  antenna: number;
  name: string;
  zoneId?: string | undefined;
  locationId?: string | undefined;
  /** dBm. Weaker reads move nothing. */
  minRssi?: number | undefined;
};

/** The fields that a caller may write. */
export type ReaderFields = {
  name: string;
  kind: ReaderKind;
  zoneId?: string | undefined;
  locationId?: string | undefined;
  /** Its sightings move assets, if it is a fixed portal. */
  autoMove: boolean;
  /** Antennas with a place of their own. Readers of releases before them have none. */
  antennas?: ReadPoint[] | undefined;
  /** Before those of the workspace. */
  filters?: ReadFilter[] | undefined;
  /** Tags that are always before it, canonical. Their reads only show that it reads. */
  referenceEpcs?: string[] | undefined;
};

/** The fields that can be changed. The kind is fixed. */
export type ReaderChange = Patch<Omit<ReaderFields, "kind">>;

/** A device that reads tags and signs what it read. */
export type Reader = ReaderFields & {
  id: string;
  workspaceId: string;
  status: "active" | "revoked";
  createdAt: Date;
  revokedAt?: Date | undefined;
  lastSeenAt?: Date | undefined;
  /** When it was first heard after a minute of silence. Absent when it never was silent. */
  aliveSince?: Date | undefined;
  /** How far its clock is ahead. */
  clockSkewMs?: number | undefined;
  /** Absent until it was judged. */
  health?: JudgedHealth | undefined;
  /** When its reference tags were set. */
  referencesSince?: Date | undefined;
  accepted: number;
  rejected: number;
  /** Counts the changes by people, from 1. */
  rev: number;
  /** Counts the events of the reader, also those of liveness. */
  sequence: number;
};

/** Which readers a list has. `silent`: active fixed portals that were not heard for OFFLINE_MS; false: all others. */
export type ReaderFilter = {
  zoneId?: string | undefined;
  kind?: ReaderKind | undefined;
  status?: Reader["status"] | undefined;
  silent?: boolean | undefined;
};

/** The fields of a reader that processing needs. */
export type PlacedReader = Pick<
  Reader,
  | "id"
  | "kind"
  | "zoneId"
  | "locationId"
  | "autoMove"
  | "antennas"
  | "filters"
  | "referenceEpcs"
  | "clockSkewMs"
>;

/** The fields that people set, as texts for the audit log. */
export function auditedReader<T extends ReaderChange>(fields: T) {
  const { antennas, filters } = fields;
  return {
    ...fields,
    ...(antennas && { antennas: antennas.map(pointText) }),
    ...(filters && { filters: filters.map(filterText) }),
  };
}

const pointText = ({ antenna, name, zoneId = "-", locationId = "-", minRssi }: ReadPoint): string =>
  `${antenna} (${name}) ${zoneId} ${locationId} ${minRssi ?? "-"}`;

/** The zones of a reader: its own, and those of its antennas. */
export function zoneIdsOf({ zoneId, antennas = [] }: Pick<Reader, "zoneId" | "antennas">): string[] {
  return [zoneId, ...antennas.map((point) => point.zoneId)].filter((id) => id !== undefined);
}

/** Fields that are only observed: they never raise `rev`. */
export const observedFields = [
  "lastSeenAt",
  "aliveSince",
  "clockSkewMs",
  "health",
  "accepted",
  "rejected",
] as const satisfies readonly (keyof Reader)[];

/** One of a reader's secrets, encrypted. The newest has no end. */
export type ReaderSecret = { sealed: Sealed; endsAt?: Date | undefined };

/** A reader with the fields that never leave this service. */
export type ReaderWithSecrets = Reader & {
  secrets: ReaderSecret[];
  /** Counts the changes of the secrets. Caches compare it. */
  secretVersion: number;
};

/** The overlap of two secrets when a rotation has none: 24 h. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;

export function newReader(
  fields: ReaderFields,
  given: { id: string; workspaceId: string; secret: Sealed; at: Date },
): ReaderWithSecrets {
  const { id, workspaceId, secret, at } = given;
  return {
    ...fields,
    id,
    workspaceId,
    status: "active",
    createdAt: at,
    referencesSince: fields.referenceEpcs?.length ? at : undefined,
    accepted: 0,
    rejected: 0,
    rev: 1,
    sequence: 1,
    secrets: [{ sealed: secret }],
    secretVersion: 1,
  };
}

/** The reader with other secrets. */
export function changeSecrets(
  reader: ReaderWithSecrets,
  secrets: ReaderSecret[],
  change: Partial<Reader> = {},
): ReaderWithSecrets {
  return {
    ...reader,
    ...change,
    secrets,
    secretVersion: reader.secretVersion + 1,
    rev: reader.rev + 1,
    sequence: reader.sequence + 1,
  };
}

/**
 * The secrets of a reader after a rotation: the new one, and the one before until the overlap ends (0: none). Older
 * ones end immediately.
 */
export function rotateSecrets(
  secrets: readonly ReaderSecret[],
  fresh: Sealed,
  now: Date,
  overlapSeconds = DEFAULT_OVERLAP_SECONDS,
): ReaderSecret[] {
  const before = secrets.find(({ endsAt }) => endsAt === undefined);
  const endsAt = new Date(now.getTime() + overlapSeconds * 1000);
  const kept = before === undefined || overlapSeconds === 0 ? [] : [{ sealed: before.sealed, endsAt }];
  return [...kept, { sealed: fresh }];
}

/** A reader that is not heard for longer than this is silent. Its row is written every 10 s. */
export const SILENT_MS = 60_000;

/**
 * A list shows a portal as silent when it was not heard for longer than this: 5 minutes, and 70 s because other services
 * hear of it once a minute. So the list agrees with the feed and with alerts.
 */
export const OFFLINE_MS = 370_000;

/** Lists of the same few seconds have the same limit, so that they share a count. */
const LIMIT_STEP_MS = 5_000;

/** Portals that were heard last before this instant are silent. */
export function silenceBefore(now: Date): Date {
  return new Date(Math.floor((now.getTime() - OFFLINE_MS) / LIMIT_STEP_MS) * LIMIT_STEP_MS);
}

type Heard = Pick<Reader, "lastSeenAt" | "aliveSince">;

/**
 * Whether a reader was certainly heard from `from` to `to`. The newest time may be after `to`, when the worker is behind:
 * then it was heard at least once in each minute since it was last silent.
 */
export function wasHeardBetween(reader: Heard | undefined, from: number, to: number): boolean {
  const lastSeenAt = reader?.lastSeenAt?.getTime();
  if (lastSeenAt === undefined || lastSeenAt < from || to < from) return false;
  if (lastSeenAt <= to) return true;
  return (reader?.aliveSince?.getTime() ?? 0) <= from && to - from >= SILENT_MS;
}

/** Whether a reader was not heard for a minute before `at`. */
export function isSilent(reader: Heard | undefined, at: number): boolean {
  return (reader?.lastSeenAt?.getTime() ?? 0) < at - SILENT_MS;
}

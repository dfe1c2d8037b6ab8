import { type CsvCell, formatInstant } from "@asset-register/runtime";
import { formerResolutions } from "./resolution.ts";
import type { Session } from "./session.ts";
import type { Variance, VarianceResolution } from "./variance.ts";

const instant = (at: Date | undefined): CsvCell => at && formatInstant(at);

/** "2026-01-31T09:30:00.000Z usr_1 written_off refused ASSET_MOVED_SINCE: nobody has it" */
function inShort({ at, by, resolution, outcome, code, note }: VarianceResolution): string {
  const parts = [formatInstant(at), by.id, resolution, outcome, code];
  return parts.filter((part) => part !== undefined).join(" ") + (note ? `: ${note}` : "");
}

/** The columns of the file, in their order, and how a variance becomes a row. */
export function varianceCsv({ name }: Pick<Session, "name">) {
  const columns: [string, (row: Variance) => CsvCell][] = [
    ["session_id", ({ sessionId }) => sessionId],
    ["session", () => name],
    ["kind", ({ kind }) => kind],
    ["reason", ({ reason }) => reason],
    ["asset_id", ({ assetId }) => assetId],
    ["asset_number", ({ assetNumber }) => assetNumber],
    ["asset_name", ({ assetName }) => assetName],
    ["code", ({ code }) => code],
    ["epc", ({ epc }) => epc],
    ["expected_location", ({ expectedLocationName }) => expectedLocationName],
    ["expected_location_id", ({ expectedLocationId }) => expectedLocationId],
    ["effective_location", ({ effectiveLocationName }) => effectiveLocationName],
    ["effective_location_id", ({ effectiveLocationId }) => effectiveLocationId],
    ["last_scanned_at", ({ lastScannedAt }) => instant(lastScannedAt)],
    ["device_id", ({ deviceId }) => deviceId],
    ["resolution", ({ resolution }) => resolution],
    ["note", ({ note }) => note],
    ["resolved_by", ({ resolvedBy }) => resolvedBy?.id],
    ["resolved_at", ({ resolvedAt }) => instant(resolvedAt)],
    ["former_resolutions", (row) => formerResolutions(row).map(inShort).join("; ")],
  ];
  return {
    header: columns.map(([column]) => column),
    row: (row: Variance): CsvCell[] => columns.map(([, cell]) => cell(row)),
  };
}

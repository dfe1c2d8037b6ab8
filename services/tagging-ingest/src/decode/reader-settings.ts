import type { PutReaderSettingsRequest } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_settings_pb";
import { limits, readerDefaults } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import { compactPresence } from "../domain/presence/presence-settings.ts";
import type { PutReaderSettings } from "../operations/settings/put-reader-settings.ts";
import { presence } from "./presence.ts";
import { readFilters } from "./read-filter.ts";

const travelSeconds = field.integer({ max: limits.travelSeconds });

const travel = z.object({
  defaultSeconds: travelSeconds.default(readerDefaults.travelSeconds),
  pairs: z
    .array(z.object({ propertyIds: field.ids(), seconds: travelSeconds }))
    .max(limits.travelPairs, `must have at most ${limits.travelPairs} pairs`),
});

const settings = z.object({
  presence: presence.optional().transform(compactPresence),
  filters: readFilters(limits.workspaceFilters),
  unknownPerHour: field.integer({ max: limits.unknownPerHour }).default(readerDefaults.unknownPerHour),
  travel: travel.default({ defaultSeconds: readerDefaults.travelSeconds, pairs: [] }),
  ifRevIn: z.array(z.number()),
});

export function decodePutReaderSettings(request: PutReaderSettingsRequest): PutReaderSettings {
  return parse(settings, request);
}

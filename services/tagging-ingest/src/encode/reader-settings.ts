import type { ReaderSettingsSchema } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_settings_pb";
import { encodeInstants } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ReaderSettings } from "../domain/readers/reader-settings.ts";
import { encodeReadFilter } from "./read-filter.ts";

export function encodeReaderSettings(
  settings: ReaderSettings,
): MessageInitShape<typeof ReaderSettingsSchema> {
  return { ...encodeInstants(settings), filters: settings.filters.map(encodeReadFilter) };
}

import { ReaderSettingsService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_settings_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodePutReaderSettings } from "../decode/reader-settings.ts";
import { encodeReaderSettings } from "../encode/reader-settings.ts";
import { putReaderSettings } from "../operations/settings/put-reader-settings.ts";

export function readerSettingsService(context: Context): Implementation {
  return implement(ReaderSettingsService, {
    async getReaderSettings(_request, { workspaceId }) {
      return { settings: encodeReaderSettings(await context.stores.readerSettings.get(workspaceId)) };
    },

    putReaderSettings: command(
      decodePutReaderSettings,
      (input, call) => putReaderSettings(context, input, call),
      (settings) => ({ settings: encodeReaderSettings(settings) }),
    ),
  });
}

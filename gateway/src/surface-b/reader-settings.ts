import { ReaderSettingsService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_settings_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { readerSettings, readerSettingsBody, toReaderSettings } from "../resources/reader-settings.ts";
import type { Surface } from "../surface.ts";

const DEVICES = { capability: "devices" } as const;
const { method } = ReaderSettingsService;

/** The settings of a workspace for all its readers. */
export const readerSettingsOfWorkspace: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { get } = readRoutes(app, clients, "b");

  get("/reader-settings", {
    summary: "The settings for all readers",
    access: DEVICES,
    rpc: method.getReaderSettings,
    record: readerSettings,
  });

  app.put(
    "/reader-settings",
    {
      config: declared(DEVICES, method.putReaderSettings),
      schema: {
        summary: "Replace the settings for all readers",
        body: readerSettingsBody,
        response: { 200: readerSettings.schema },
      },
    },
    async (request, reply) => {
      const message = toReaderSettings(request.body);
      const answer = await clients.readerSettings.putReaderSettings(message, forward(request, reply));
      return readerSettings.present(required(answer.settings));
    },
  );
};

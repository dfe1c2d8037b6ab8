import { NoticeService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { readRoutes } from "../http/read-routes.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { notice } from "../resources/notice.ts";
import type { Surface } from "../surface.ts";

/** The notices that users see in the app. */
export const notices: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list } = readRoutes(app, clients, "b");
  const { act } = writeRoutes(app, clients, "b");

  list("/notices", {
    summary: "List notices, the newest first. Empty for users without the capability alerts",
    access: { capability: "view" },
    rpc: NoticeService.method.listNotices,
    record: notice,
  });

  act("/notices/:id/read", {
    summary: "Mark a notice as read",
    access: { capability: "view" },
    unconditional: "the mark is the user's own and overwrites nothing",
    rpc: NoticeService.method.markNoticeRead,
    record: notice,
  });
};

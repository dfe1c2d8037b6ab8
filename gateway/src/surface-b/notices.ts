import { NoticeService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { notice } from "../resources/notice.ts";
import type { Surface } from "../surface.ts";

/** What people see in the app. */
export const notices: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list } = readRoutes(app, clients, "b");

  list("/notices", {
    summary: "List notices, the newest first. Empty for users without the capability alerts",
    access: { capability: "view" },
    rpc: NoticeService.method.listNotices,
    record: notice,
  });

  app.post(
    "/notices/:id/read",
    {
      config: {
        ...declared({ capability: "view" }, NoticeService.method.markNoticeRead),
        unconditional: "the mark is the user's own and overwrites nothing",
      },
      schema: { summary: "Mark a notice as read", params: idParams, response: { 200: notice.schema } },
    },
    async (request, reply) => {
      const answer = await clients.notices.markNoticeRead({ id: request.params.id }, forward(request, reply));
      return notice.present(required(answer.notice));
    },
  );
};

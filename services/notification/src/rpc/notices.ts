import { NoticeService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { encodeNotice } from "../encode/alert.ts";
import { listNotices, markNoticeRead } from "../operations/alerts/notices.ts";

export function noticeService(context: Context): Implementation {
  return implement(NoticeService, {
    async listNotices(request, call) {
      const found = await listNotices(context, pageRequest(request.page), call);
      return { notices: found.items.map(encodeNotice), page: pageInfo(found) };
    },

    markNoticeRead: command(
      ({ id }) => ({ id }),
      (input, call) => markNoticeRead(context, input, call),
      (notice) => ({ notice: encodeNotice(notice) }),
    ),
  });
}

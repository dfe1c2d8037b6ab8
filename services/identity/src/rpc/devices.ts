import { DeviceService } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import { command, holds, type Implementation, implement } from "@asset-register/rpc";
import { forbidden } from "@asset-register/runtime";
import type { Identity } from "../context.ts";
import { deviceMessage } from "../encode.ts";
import { revokeDevice } from "../operations/revoke-device.ts";
import { pageInfo, pageOf } from "./page.ts";

export function deviceRpc(identity: Identity): Implementation {
  return implement(DeviceService, {
    listDevices: async ({ page }, { principal }) => {
      if (principal.kind !== "user") throw forbidden("Devices are those of users");
      const { workspaceId, id, sessionId } = principal;
      const userId = holds(principal, "admin") ? undefined : id;
      const list = await identity.sessions.list(workspaceId, userId, pageOf(page));
      return {
        devices: list.items.map((session) => deviceMessage(session, session.id === sessionId)),
        page: pageInfo(list),
      };
    },

    revokeDevice: command(
      ({ deviceUuid }) => ({ deviceUuid }),
      (input, call) => revokeDevice(identity, input, call),
      ({ session, current }) => ({ device: deviceMessage(session, current) }),
    ),
  });
}

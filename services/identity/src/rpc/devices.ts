import { DeviceService } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import { command, holds, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { forbidden } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { encodeDevice } from "../encode/session.ts";
import { revokeDevice } from "../operations/sessions/revoke-device.ts";

export function deviceService(context: Context): Implementation {
  const { stores } = context;
  return implement(DeviceService, {
    async listDevices({ page }, { principal }) {
      if (principal.kind !== "user") throw forbidden("Only users have devices.");
      const { workspaceId, id, sessionId } = principal;
      const userId = holds(principal, "admin") ? undefined : id;
      const found = await stores.sessions.list(workspaceId, userId, pageRequest(page));
      const devices = found.items.map((session) =>
        encodeDevice({ session, current: session.id === sessionId }),
      );
      return { devices, page: pageInfo(found) };
    },

    revokeDevice: command(
      ({ deviceUuid }) => ({ deviceUuid: deviceUuid.toLowerCase() }),
      (input, call) => revokeDevice(context, input, call),
      (device) => ({ device: encodeDevice(device) }),
    ),
  });
}

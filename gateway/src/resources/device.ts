import type { Device } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import Type from "typebox";
import { orNull, presentInstant } from "../http/present.ts";
import { id, instant, like, nullable } from "../http/schemas.ts";

export const deviceSchema = Type.Object(
  {
    device_uuid: Type.String({ format: "uuid" }),
    label: nullable(like("Ada's phone")),
    platform: nullable(like("ios")),
    app_version: nullable(like("4.2.0")),
    user_id: id("usr"),
    created_at: nullable(instant()),
    last_seen_at: nullable(instant("To the minute")),
    current: Type.Boolean({ description: "Whether it is the session that asks" }),
    revoked_at: nullable(instant("Null while it stands; a new sign-in on the device makes it stand again")),
  },
  { title: "Device" },
);

/** A user's session on a device. */
export function presentDevice(device: Device): Type.Static<typeof deviceSchema> {
  return {
    device_uuid: device.deviceUuid,
    label: orNull(device.label),
    platform: orNull(device.platform),
    app_version: orNull(device.appVersion),
    user_id: device.userId,
    created_at: presentInstant(device.createdAt),
    last_seen_at: presentInstant(device.lastSeenAt),
    current: device.current,
    revoked_at: presentInstant(device.revokedAt),
  };
}

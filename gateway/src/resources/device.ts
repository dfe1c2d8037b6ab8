import { DeviceSchema } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import Type from "typebox";
import { resource } from "../http/resource.ts";
import { id, instant, like, nullable, unset } from "../http/schemas.ts";

/** A user's session on a device. */
export const device = resource(DeviceSchema, "Device", {
  device_uuid: Type.String({ format: "uuid" }),
  label: nullable(like("Ada's phone")),
  platform: nullable(like("ios")),
  app_version: nullable(like("4.2.0")),
  user_id: id("usr"),
  created_at: nullable(instant()),
  last_seen_at: nullable(instant("Exact to the minute")),
  current: Type.Boolean({ description: "Whether this is the caller's own session" }),
  revoked_at: unset(instant("Null while the session is live; a new sign-in on the device makes it null")),
});

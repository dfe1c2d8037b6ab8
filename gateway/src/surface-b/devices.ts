import { DeviceService } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { device } from "../resources/device.ts";
import type { Surface } from "../surface.ts";

/** The devices on which the caller is signed in. An admin sees those of all users. */
export const devices: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list } = readRoutes(app, clients, "b");

  list("/devices", {
    summary: "List devices",
    access: { signedIn: true },
    rpc: DeviceService.method.listDevices,
    record: device,
  });

  app.post(
    "/devices/:uuid/revoke",
    {
      config: {
        ...declared({ signedIn: true }, DeviceService.method.revokeDevice),
        unconditional: "A session is never edited: there is nothing that ending it could overwrite",
      },
      schema: {
        summary: "End the session on a device",
        params: Type.Object({ uuid: Type.String({ format: "uuid" }) }),
        response: { 200: device.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.devices.revokeDevice(
        { deviceUuid: request.params.uuid },
        forward(request, reply),
      );
      return device.present(required(answer.device));
    },
  );
};

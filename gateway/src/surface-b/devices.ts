import { DeviceService } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { pageOf, pageQueryB, toPageB } from "../http/schemas.ts";
import { deviceSchema, presentDevice } from "../resources/device.ts";
import type { Surface } from "../surface.ts";

/** Where users are signed in: one's own devices, an admin those of all. */
export const devices: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/devices",
    {
      config: declared({ signedIn: true }, DeviceService.method.listDevices),
      schema: {
        summary: "List devices",
        querystring: Type.Object(pageQueryB),
        response: { 200: pageOf(deviceSchema) },
      },
    },
    async (request, reply) => {
      const list = await clients.devices.listDevices(
        { page: toPageB(request.query) },
        forward(request, reply),
      );
      return presentListB(list.devices.map(presentDevice), list.page);
    },
  );

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
        response: { 200: deviceSchema },
      },
    },
    async (request, reply) => {
      const { device } = await clients.devices.revokeDevice(
        { deviceUuid: request.params.uuid },
        forward(request, reply),
      );
      return presentDevice(required(device));
    },
  );
};

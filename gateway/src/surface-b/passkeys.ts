import {
  CreatePasskeyRequestSchema,
  PasskeyService,
  UpdatePasskeyRequestSchema,
} from "@asset-register/proto/assetregister/identity/v1/passkey_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import {
  creationOptionsSchema,
  newPasskeySchema,
  passkey,
  passkeyChangeSchema,
  recoveryCodes,
} from "../resources/mfa.ts";
import type { Surface } from "../surface.ts";

const own = { signedIn: true, beforeEnrolment: true } as const;
const toNewPasskey = requestMessage(CreatePasskeyRequestSchema, newPasskeySchema);
const toChange = requestMessage(UpdatePasskeyRequestSchema, passkeyChangeSchema);
const withCodesSchema = Type.Object(
  { ...passkey.schema.properties, recovery_codes: recoveryCodes },
  { title: "NewPasskey" },
);

/** The caller's passkeys. */
export const passkeys: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { startPasskey, createPasskey, listPasskeys, updatePasskey, deletePasskey } = PasskeyService.method;
  const { create, remove } = writeRoutes(app, clients, "b");

  app.post(
    "/me/passkeys/options",
    {
      config: { ...declared(own, startPasskey), unconditional: "It changes no passkey" },
      schema: {
        summary: "Options for the registration of a passkey",
        response: { 200: Type.Object({ options: creationOptionsSchema }) },
      },
    },
    async (request, reply) => {
      const { options } = await clients.passkeys.startPasskey({}, forward(request, reply));
      return { options: required(options) };
    },
  );

  create("/me/passkeys", {
    summary: "Register a passkey",
    access: own,
    rpc: createPasskey,
    record: passkey,
    body: newPasskeySchema,
    toRequest: toNewPasskey,
    beside: {
      schema: withCodesSchema,
      present: ({ recoveryCodes: recovery_codes }) => ({ recovery_codes }),
    },
  });

  readRoutes(app, clients, "b").list("/me/passkeys", {
    summary: "List the caller's passkeys",
    access: own,
    rpc: listPasskeys,
    record: passkey,
  });

  app.patch(
    "/me/passkeys/:id",
    {
      config: declared(own, updatePasskey),
      schema: {
        summary: "Rename a passkey",
        params: idParams,
        body: passkeyChangeSchema,
        response: { 200: passkey.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.passkeys.updatePasskey(
        { ...toChange(request.body), id: request.params.id },
        forward(request, reply),
      );
      return passkey.present(required(answer.passkey));
    },
  );

  remove("/me/passkeys/:id", { summary: "Remove a passkey", access: own, rpc: deletePasskey });
};

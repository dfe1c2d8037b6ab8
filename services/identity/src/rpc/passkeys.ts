import {
  type CreatePasskeyResponse,
  PasskeyService,
} from "@asset-register/proto/assetregister/identity/v1/passkey_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { forbidden } from "@asset-register/runtime";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import { decodeCreatePasskey, decodeDeletePasskey, decodeUpdatePasskey } from "../decode/mfa.ts";
import { encodePasskey } from "../encode/mfa.ts";
import { createPasskey, deletePasskey, startPasskey, updatePasskey } from "../operations/mfa/passkeys.ts";
import { areValid } from "../operations/mfa/recovery-codes.ts";

export function passkeyService(context: Context): Implementation {
  const { stores, webauthn } = context;
  return implement(PasskeyService, {
    startPasskey: command(
      () => ({}),
      (_input, call) => startPasskey(context, call),
      ({ options }) => ({ options: options as JsonObject }),
    ),

    createPasskey: command(
      decodeCreatePasskey,
      (input, call) => createPasskey(context, input, call),
      ({ passkey, recoveryCodes }) => ({ passkey: encodePasskey(passkey, webauthn), recoveryCodes }),
      {
        isSecretValid: ({ recoveryCodes }: CreatePasskeyResponse, call) =>
          areValid(context, recoveryCodes, call),
      },
    ),

    async listPasskeys({ page }, { principal }) {
      if (principal.kind !== "user") throw forbidden("Only users have passkeys.");
      const { workspaceId, id } = principal;
      const found = await stores.passkeys.list(workspaceId, id, pageRequest(page));
      return { passkeys: found.items.map((one) => encodePasskey(one, webauthn)), page: pageInfo(found) };
    },

    updatePasskey: command(
      decodeUpdatePasskey,
      (input, call) => updatePasskey(context, input, call),
      (passkey) => ({ passkey: encodePasskey(passkey, webauthn) }),
    ),

    deletePasskey: command(
      decodeDeletePasskey,
      (input, call) => deletePasskey(context, input, call),
      () => ({}),
    ),
  });
}

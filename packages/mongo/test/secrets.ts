import { createKeyring, type KeyringSetting, newId, type Sealed } from "@asset-register/runtime";
import { idempotencySealed, type Mongo, type SealedField } from "../src/index.ts";

/** The documents of a service with secrets: one secret in a document, or several in a list with their times. */
type Hook = { _id: string; workspaceId: string; secret: Sealed };
type Device = { _id: string; workspaceId: string; secrets: { sealed: Sealed; endsAt?: Date }[] };

export const SERVICE = "secretive";
export const fields: SealedField[] = [
  { collection: "hooks", path: "secret" },
  { collection: "devices", path: "secrets.sealed" },
  ...idempotencySealed,
];

export function secretsOf(mongo: Mongo, setting: KeyringSetting) {
  const keyring = createKeyring(setting);
  const hooks = mongo.collection<Hook>("hooks");
  const devices = mongo.collection<Device>("devices");
  const placeOf = (collection: string, recordId: string) => ({ service: SERVICE, collection, recordId });
  return {
    keyring,
    async addHooks(secrets: readonly string[]): Promise<void> {
      const rows = secrets.map((secret) => {
        const _id = newId("whk");
        const sealed = keyring.encrypt(secret, placeOf("hooks", _id));
        return { _id, workspaceId: "wsp_1", secret: sealed };
      });
      await hooks.insertMany(rows);
    },
    async addDevice(...secrets: string[]): Promise<string> {
      const _id = newId("rdr");
      const sealed = secrets.map((secret) => ({
        sealed: keyring.encrypt(secret, placeOf("devices", _id)),
        endsAt: new Date(0),
      }));
      await devices.insertOne({ _id, workspaceId: "wsp_1", secrets: sealed });
      return _id;
    },
    async rotateHook({ _id, workspaceId }: Pick<Hook, "_id" | "workspaceId">, secret: string) {
      const sealed = keyring.encrypt(secret, placeOf("hooks", _id));
      await hooks.updateOne({ _id, workspaceId }, { $set: { secret: sealed } });
    },
    hookRows: (): Promise<Hook[]> => hooks.find({ workspaceId: "wsp_1" }).toArray(),
    hookSecret: ({ _id, secret }: Hook): string =>
      keyring.decrypt(secret, placeOf("hooks", _id)).toString("utf8"),
    async deviceSecrets(_id: string): Promise<string[]> {
      const row = await devices.findOne({ _id, workspaceId: "wsp_1" });
      return (row?.secrets ?? []).map(({ sealed }) =>
        keyring.decrypt(sealed, placeOf("devices", _id)).toString("utf8"),
      );
    },
  };
}

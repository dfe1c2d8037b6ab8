import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";

/** A value of CBOR (RFC 8949): what attestation objects and COSE keys are made of. */
type Cbor = number | string | Buffer | Map<number | string, Cbor>;

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.of((major << 5) | size);
  if (size < 256) return Buffer.of((major << 5) | 24, size);
  return Buffer.of((major << 5) | 25, size >> 8, size & 255);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest();
const base64 = (data: Buffer | string) => Buffer.from(data).toString("base64url");

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

type Options = { origin?: string; rpId?: string; verifiesUser?: boolean; counter?: number };

/** A passkey in software, which makes real signatures (ES256). */
export function createAuthenticator({
  origin = "http://localhost:8080",
  rpId = "localhost",
  verifiesUser = true,
  counter = 0,
}: Options = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  const state = { counter, userHandle: "", verifiesUser, origin, rpId };

  const clientData = (type: string, challenge: unknown) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: state.origin, crossOrigin: false }));
  const authenticatorData = (flags: number, rest: Buffer = Buffer.of()) => {
    const verified = state.verifiesUser ? USER_VERIFIED : 0;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(state.counter);
    return Buffer.concat([sha256(state.rpId), Buffer.of(flags | verified | USER_PRESENT), count, rest]);
  };
  const credential = { id: base64(id), rawId: base64(id), type: "public-key", clientExtensionResults: {} };

  return {
    id: credential.id,
    /** Changes what it does next. */
    state,

    /** navigator.credentials.create */
    create(options: JsonObject | undefined): JsonObject {
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const coordinate = (text: string) => Buffer.from(text, "base64url");
      const key = cbor(
        new Map<number, Cbor>([
          ...([
            [1, 2],
            [3, -7],
            [-1, 1],
          ] as const),
          ...([
            [-2, coordinate(x)],
            [-3, coordinate(y)],
          ] as const),
        ]),
      );
      const length = Buffer.of(id.length >> 8, id.length & 255);
      const authData = authenticatorData(HAS_KEY, Buffer.concat([Buffer.alloc(16), length, id, key]));
      const attestation = new Map<string, Cbor>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]);
      state.userHandle = String((options?.user as JsonObject | undefined)?.id);
      const clientDataJSON = base64(clientData("webauthn.create", options?.challenge));
      const response = {
        clientDataJSON,
        attestationObject: base64(cbor(attestation)),
        transports: ["internal"],
      };
      return { ...credential, response };
    },

    /** navigator.credentials.get */
    get(options: JsonObject | undefined): JsonObject {
      if (state.counter > 0) state.counter += 1;
      const client = clientData("webauthn.get", options?.challenge);
      const data = authenticatorData(0);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...credential,
        response: {
          ...{ clientDataJSON: base64(client), authenticatorData: base64(data) },
          ...{ signature: base64(signature), userHandle: state.userHandle },
        },
      };
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

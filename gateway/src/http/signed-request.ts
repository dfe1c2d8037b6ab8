import type { IncomingHttpHeaders } from "node:http";
import { unauthenticated } from "@asset-register/runtime";
import Type from "typebox";

/** What signs a request of surface B: a reader its events, an agent its syncs. */
type Signer = "reader" | "agent";

/** Optional in the schema: a request without it is not authenticated, which is not the same as invalid. */
const header = (description: string) => Type.Optional(Type.String({ description }));

/** The headers of a signed request. */
export const signedHeaders = (signer: Signer) =>
  Type.Object({
    [`x-${signer}-id`]: header(`The ${signer}`),
    [`x-${signer}-timestamp`]: header("Seconds since 1970"),
    [`x-${signer}-nonce`]: header("New with each request, 1 to 64 printable ASCII characters"),
    [`x-${signer}-signature`]: header(
      `\`v1=\` and the HMAC-SHA256 in hex, keyed by the ${signer}'s secret, of \`v1\`, \`POST\`, the path, the ${signer}, the time, the nonce and the SHA-256 of the body in hex, joined by line feeds`,
    ),
  });

/** @throws AppError READER_SIGNATURE_INVALID or AGENT_SIGNATURE_INVALID if one of the headers is missing */
export function signatureOf(headers: IncomingHttpHeaders, signer: Signer) {
  const {
    [`x-${signer}-id`]: id,
    [`x-${signer}-timestamp`]: timestamp,
    [`x-${signer}-nonce`]: nonce,
    [`x-${signer}-signature`]: signature,
  } = headers;
  if (!isText(id) || !isText(timestamp) || !isText(nonce) || !isText(signature)) throw notSigned[signer]();
  return { id, timestamp, nonce, signature };
}

const notSigned = {
  reader: () => unauthenticated("The request is not signed by a reader.", "READER_SIGNATURE_INVALID"),
  agent: () => unauthenticated("The request is not signed by an agent.", "AGENT_SIGNATURE_INVALID"),
};

const isText = (value: string | string[] | undefined): value is string =>
  typeof value === "string" && value !== "";

import { newId, normalAddress } from "@asset-register/runtime";
import type { Metadata } from "@grpc/grpc-js";
import type { Origin } from "./call.ts";

/** Metadata with the token of the calling process. `authorization` has that of the caller for whom it calls. */
export const SERVICE_AUTHORIZATION = "service-authorization";

/** Allowed request ids, because they are logged and passed on to other services. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

const ORIGIN = {
  requestId: "x-request-id",
  clientAddress: "x-client-address",
  clientRequestId: "x-client-request-id",
} as const;

/** Passes on the origin in the options of a call, or that of the call which causes it. */
export function setOrigin(metadata: Metadata, given: Partial<Origin>, causing: Partial<Origin> = {}): void {
  for (const field of ["requestId", "clientAddress", "clientRequestId"] as const) {
    const value = given[field] ?? causing[field];
    if (value !== undefined) metadata.set(ORIGIN[field], value);
  }
}

/** The origin of a call. A malformed value counts as absent. */
export function originOf(metadata: Metadata): Origin {
  const idIn = (name: string): string | undefined => {
    const given = textOf(metadata, name);
    return given !== undefined && REQUEST_ID.test(given) ? given : undefined;
  };
  return {
    requestId: idIn(ORIGIN.requestId) ?? newId("req"),
    clientAddress: normalAddress(textOf(metadata, ORIGIN.clientAddress) ?? ""),
    clientRequestId: idIn(ORIGIN.clientRequestId),
  };
}

export function textOf(metadata: Metadata, name: string): string | undefined {
  const [value] = metadata.get(name);
  return typeof value === "string" ? value : undefined;
}

/** The token in an entry of the form "Bearer <token>". */
export function bearerOf(metadata: Metadata, name: string): string | undefined {
  const value = textOf(metadata, name);
  return value?.startsWith("Bearer ") === true ? value.slice(7) : undefined;
}

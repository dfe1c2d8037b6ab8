import type { DescMethod } from "@bufbuild/protobuf";
import type { RouteInfo } from "../plugins/route-table.ts";

/** A code, explained to programs' authors. The texts are shown in the documents; `...` in backticks is code. */
export type ErrorCode = {
  code: string;
  status: number;
  /** The cause of the error. The examples in the documents have it as their message. */
  cause: string;
  /** The advice for the caller. */
  cure: string;
  /** The requests that can fail with it, in words. */
  where: string;
  /** Whether a route can answer with it. */
  appliesTo(route: RouteInfo): boolean;
};

type DomainCode = Omit<ErrorCode, "appliesTo"> & {
  /** The RPCs that throw it. */
  rpcs: readonly DescMethod[];
};

/** A code of the domain: every route that calls one of its RPCs can answer with it. */
export function ofRpcs({ rpcs, ...code }: DomainCode): ErrorCode {
  return { ...code, appliesTo: (route) => route.rpcs.some((rpc) => rpcs.includes(rpc)) };
}

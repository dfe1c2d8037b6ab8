import type { DescMethod } from "@bufbuild/protobuf";
import type { RouteInfo } from "../plugins/route-table.ts";

/** What a program, or the person who writes it, should know of a code. */
export type ErrorCode = {
  code: string;
  status: number;
  /** What has happened, in one sentence: the message of the documents' examples too. */
  cause: string;
  /** What to do about it. */
  cure: string;
  /** Who gets it, in words. */
  who: string;
  /** Whether a route can answer with it. */
  from(route: RouteInfo): boolean;
};

type DomainCode = Omit<ErrorCode, "from"> & {
  /** The RPCs that throw it: every route in front of them can answer with it. */
  rpcs: readonly DescMethod[];
};

/** A code of one rule of one domain: routes get it from the RPCs that throw it. */
export function ofRpcs({ rpcs, ...code }: DomainCode): ErrorCode {
  return { ...code, from: (route) => route.rpcs.some((rpc) => rpcs.includes(rpc)) };
}

import type { ListDisposalsRequest } from "@asset-register/proto/assetregister/finance/v1/disposal_pb";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import { bookNames } from "../encode/names.ts";
import type { DisposalFilter } from "../store/disposals/disposals.ts";
import { month } from "./month.ts";

const filter = z.object({
  book: field.optionalEnum(bookNames),
  from: month.optional(),
  to: month.optional(),
});

export const decodeDisposalFilter = (request: ListDisposalsRequest): DisposalFilter => parse(filter, request);

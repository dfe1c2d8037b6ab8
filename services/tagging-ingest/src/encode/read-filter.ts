import {
  ReadFilterAction,
  type ReadFilterSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_settings_pb";
import { enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ReadFilter } from "../domain/readers/read-filters.ts";

export const filterActionNames = enumNames(ReadFilterAction);

export const encodeReadFilter = (filter: ReadFilter): MessageInitShape<typeof ReadFilterSchema> => ({
  ...filter,
  action: filterActionNames.encode(filter.action),
});

import { Capability } from "@asset-register/proto/assetregister/common/v1/access_pb";
import { enumNames } from "./message/enum-names.ts";

/** What a user may do, by number in messages and by name everywhere else. */
export const capabilityNames = enumNames(Capability);

import { Capability } from "@asset-register/proto/assetregister/common/v1/access_pb";
import { enumNames } from "./message/enum-names.ts";

/** Converts the capabilities of users between numbers (in messages) and names (everywhere else). */
export const capabilityNames = enumNames(Capability);

import type {
  DepreciationProfileSchema,
  ProfileFieldsSchema,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_profile_pb";
import { encodeActor, encodeInstants, encodeMoney } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { inputsOf, type ProfileChange, type ProfileInputs } from "../domain/profiles/profile.ts";
import type { CarriedProfile } from "../store/profiles/profiles.ts";
import { bookNames, conventionNames, depreciationMethodNames } from "./names.ts";

export function encodeProfile(
  profile: CarriedProfile,
  currency: string,
): MessageInitShape<typeof DepreciationProfileSchema> {
  const {
    workspaceId: _,
    carry: _carry,
    endedAt: _end,
    invalidInput: _invalid,
    categoryId: _category,
    ...record
  } = profile;
  const { updatedBy: _by, ...fields } = record;
  return {
    ...encodeInstants(fields),
    ...encodeInputs(inputsOf(record), currency),
    book: bookNames.encode(record.book),
    method: depreciationMethodNames.encode(record.method),
    convention: conventionNames.encode(record.convention),
    createdBy: encodeActor(record.createdBy),
    changes: record.changes.map((change) => encodeChange(change, currency)),
  };
}

function encodeChange(
  { id, fields, cleared = [], impairment, effectiveOn, by, at }: ProfileChange,
  currency: string,
) {
  const values: MessageInitShape<typeof ProfileFieldsSchema> = {
    ...encodeInputs(fields, currency),
    endHeldForSale: cleared.includes("heldForSaleOn"),
    impairment: impairment && { on: impairment.on, amount: encodeMoney(impairment.amount, currency) },
  };
  return { id, fields: values, effectiveOn, by: encodeActor(by), at: timestampFromDate(at) };
}

function encodeInputs(inputs: Partial<ProfileInputs>, currency: string) {
  return {
    ...inputs,
    method: depreciationMethodNames.encode(inputs.method),
    convention: conventionNames.encode(inputs.convention),
    cost: encodeMoney(inputs.cost, currency),
    salvage: encodeMoney(inputs.salvage, currency),
    openingAccumulated: encodeMoney(inputs.openingAccumulated, currency),
  };
}

import type {
  ProfileFields,
  SaveProfileRequest,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_profile_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import { macrsClasses } from "../domain/profiles/profile.ts";
import { LAST_DATE } from "../domain/profiles/validate-inputs.ts";
import { bookNames, conventionNames, depreciationMethodNames } from "../encode/names.ts";
import type { SaveProfile } from "../operations/profiles/save-profile.ts";
import { calendarDate } from "./calendar-date.ts";

/** As the rules of profiles: no month of a life has a year of five digits. */
const date = calendarDate.refine((text) => text <= LAST_DATE, `must not be after ${LAST_DATE}`);

const amount = field.optionalAmount().refine((value) => value !== undefined, "is required");

const fields = z.object({
  method: field.optionalEnum(depreciationMethodNames),
  convention: field.optionalEnum(conventionNames),
  cost: field.optionalAmount(),
  salvage: field.optionalAmount(),
  lifeMonths: field.integer({ min: 1, max: limits.usefulLifeMonths }).optional(),
  inServiceDate: date.optional(),
  factor: z.number().optional(),
  rate: z.number().optional(),
  switchToSl: z.boolean().optional(),
  macrsClass: z.enum(macrsClasses, `must be one of ${macrsClasses.join(", ")}`).optional(),
  totalUnits: z.number().optional(),
  openingAccumulated: field.optionalAmount(),
  openingOn: date.optional(),
  heldForSaleOn: date.optional(),
});

const request = z.object({
  assetId: field.id(),
  book: field.optionalEnum(bookNames).default("book"),
  effectiveOn: date.optional(),
  ifRevIn: z.array(z.number()),
});

const impairmentFields = z.object({ impairment: z.object({ amount, on: date }).optional() });

export function decodeSaveProfile(message: SaveProfileRequest): SaveProfile {
  const { assetId, book, effectiveOn, ifRevIn } = parse(request, message);
  const given: Partial<ProfileFields> = message.fields ?? {};
  const values = Object.entries(parse(fields, given)).filter(([, value]) => value !== undefined);
  const { impairment } = parse(impairmentFields, { impairment: given.impairment });
  const edit = {
    fields: Object.fromEntries(values),
    endHeldForSale: given.endHeldForSale ?? false,
    impairment: impairment && { on: impairment.on, amount: impairment.amount ?? 0 },
    effectiveOn,
  };
  return { assetId, book, edit, ifRevIn };
}

import { type Change, changesBetween, currencyDigits, formatMoney } from "@asset-register/runtime";
import { inputsOf, type Profile } from "./profile.ts";

/** The changes of a profile for the audit log, amounts in major units. */
export function auditedProfile(before: Profile | undefined, after: Profile, currency: string): Change[] {
  const digits = currencyDigits(currency);
  const money = (minor: number | undefined) => (minor === undefined ? undefined : formatMoney(minor, digits));
  const textsOf = (profile: Profile, isNew: boolean) => {
    const { cost, salvage, openingAccumulated, ...inputs } = inputsOf(profile);
    const impairment = isNew ? profile.changes.at(-1)?.impairment : undefined;
    return {
      ...inputs,
      cost: money(cost),
      salvage: money(salvage),
      openingAccumulated: money(openingAccumulated),
      impairment: money(impairment?.amount),
    };
  };
  return changesBetween(before === undefined ? {} : textsOf(before, false), {
    book: before === undefined ? after.book : undefined,
    ...textsOf(after, before !== undefined),
  });
}

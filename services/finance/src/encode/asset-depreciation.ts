import {
  type AssetDepreciationSchema,
  type BookDepreciationSchema,
  ScheduleLineKind,
  type ScheduleLineSchema,
  ScheduleLineStatus,
} from "@asset-register/proto/assetregister/finance/v1/asset_depreciation_pb";
import { encodeMoney, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { yearMonth } from "../domain/schedule/period.ts";
import type { ScheduleLine } from "../domain/schedule/schedule-lines.ts";
import type { AssetDepreciation, BookDepreciation } from "../operations/reports/get-asset-depreciation.ts";
import { encodeDisposal } from "./disposal.ts";
import { bookNames } from "./names.ts";
import { encodeProfile } from "./profile.ts";

const kindNames = enumNames(ScheduleLineKind);
const statusNames = enumNames(ScheduleLineStatus);

export function encodeAssetDepreciation({
  assetId,
  books,
  currency,
}: AssetDepreciation): MessageInitShape<typeof AssetDepreciationSchema> {
  return {
    assetId,
    books: books.map((book) => encodeBook(book, currency)),
    difference: encodeMoney(differenceOf(books), currency),
  };
}

/** Undefined unless there are profiles in both. */
function differenceOf(books: readonly BookDepreciation[]): number | undefined {
  const [book, tax] = books;
  if (book?.profile === undefined || tax?.profile === undefined) return undefined;
  return (book.nbv ?? 0) - (tax.nbv ?? 0);
}

function encodeBook(
  { book, profile, nbv, accumulated, disposal, lines }: BookDepreciation,
  currency: string,
): MessageInitShape<typeof BookDepreciationSchema> {
  return {
    book: bookNames.encode(book),
    profile: profile && encodeProfile(profile, currency),
    nbv: encodeMoney(nbv, currency),
    accumulated: encodeMoney(accumulated, currency),
    disposal: disposal && encodeDisposal(disposal, currency),
    lines: lines.map((line) => encodeLine(line, currency)),
  };
}

function encodeLine(
  { period, kind, status, openingNbv, amount, closingNbv, derivation }: ScheduleLine,
  currency: string,
): MessageInitShape<typeof ScheduleLineSchema> {
  return {
    ...{
      period: yearMonth(period),
      derivation,
      kind: kindNames.encode(kind),
      status: statusNames.encode(status),
    },
    openingNbv: encodeMoney(openingNbv, currency),
    amount: encodeMoney(amount, currency),
    closingNbv: encodeMoney(closingNbv, currency),
  };
}

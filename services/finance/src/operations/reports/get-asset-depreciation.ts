import type { Call } from "@asset-register/rpc";
import { currencyDigits } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { Disposal } from "../../domain/disposals/disposal.ts";
import { currentAccumulated, currentNbv } from "../../domain/ledger/net-book-value.ts";
import type { KnownAsset } from "../../domain/profiles/asset.ts";
import type { Book } from "../../domain/profiles/profile.ts";
import { forecast } from "../../domain/schedule/lines.ts";
import { periodOf } from "../../domain/schedule/period.ts";
import { forecastLines, postedLines, type ScheduleLine } from "../../domain/schedule/schedule-lines.ts";
import type { CarriedProfile } from "../../store/profiles/profiles.ts";
import { findAsset } from "../profiles/find-asset.ts";
import { readUnits } from "../runs/read-units.ts";
import { today } from "../today.ts";

export type BookDepreciation = {
  book: Book;
  profile?: CarriedProfile | undefined;
  /** Undefined if neither a profile nor the asset has a cost. */
  nbv: number | undefined;
  accumulated: number;
  disposal?: Disposal | undefined;
  lines: ScheduleLine[];
};

export type AssetDepreciation = { assetId: string; books: BookDepreciation[]; currency: string };

type Setting = { digits: number; timeZone: string };

/**
 * The past and forecast charges of an asset, in one book or both. A disposed or deleted asset has no forecast.
 *
 * @throws AppError NOT_FOUND; UNAVAILABLE if the units of the asset cannot be read
 */
export async function getAssetDepreciation(
  context: Context,
  { assetId, book }: { assetId: string; book?: Book | undefined },
  call: Call,
): Promise<AssetDepreciation> {
  const asset = await findAsset(context, assetId, call);
  const { currency, timeZone } = await requireWorkspace(context, call.workspaceId);
  const setting = { digits: currencyDigits(currency), timeZone };
  const names: Book[] = book === undefined ? ["book", "tax"] : [book];
  const books = await Promise.all(names.map((name) => bookOf(context, asset, name, setting, call)));
  return { assetId, books, currency };
}

async function bookOf(
  context: Context,
  asset: KnownAsset,
  book: Book,
  setting: Setting,
  { workspaceId, signal }: Call,
): Promise<BookDepreciation> {
  const { stores } = context;
  const [profile, disposal] = await Promise.all([
    stores.profiles.ofAsset(workspaceId, book, asset.id),
    stores.disposals.get(workspaceId, asset.id, book),
  ]);
  const isAccounted = disposal?.status === "accounted";
  if (profile === undefined) {
    return { book, nbv: isAccounted ? 0 : asset.cost, accumulated: 0, disposal, lines: [] };
  }
  const figures = {
    nbv: currentNbv(profile, profile.carry, isAccounted),
    accumulated: currentAccumulated(profile, profile.carry),
  };
  const posted = await readPosted(context, profile, { ...setting, disposedOn: disposal?.date });
  const isOver = asset.deletedAt !== undefined || asset.disposal !== undefined || disposal !== undefined;
  const planned = isOver ? [] : await readForecast(context, profile, setting, signal);
  return { book, profile, ...figures, disposal, lines: [...posted, ...planned] };
}

async function readPosted(
  { stores }: Context,
  profile: CarriedProfile,
  setting: { digits: number; disposedOn: string | undefined },
): Promise<ScheduleLine[]> {
  const { workspaceId, assetId } = profile;
  const rows = await stores.ledger.ofProfile(workspaceId, profile.id);
  const runIds = rows.filter(({ kind }) => kind === "charge").map(({ causeId }) => causeId);
  const lines = await stores.runLines.ofAssetInRuns(workspaceId, assetId, [...new Set(runIds)]);
  return postedLines(profile, rows, lines, setting);
}

async function readForecast(
  context: Context,
  profile: CarriedProfile,
  { digits, timeZone }: Setting,
  signal: AbortSignal,
): Promise<ScheduleLine[]> {
  const { workspaceId, assetId } = profile;
  const through = periodOf(today(context.now(), timeZone));
  const units = await readUnits(context, { workspaceId, timeZone, through, profiles: [profile], signal });
  return forecastLines(forecast(profile, profile.carry, units.get(assetId)), digits);
}

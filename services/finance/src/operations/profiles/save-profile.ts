import type { Call } from "@asset-register/rpc";
import { conflict, deterministicId, newId, notFound, requireRev } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { KnownAsset } from "../../domain/profiles/asset.ts";
import { auditedProfile } from "../../domain/profiles/audited-profile.ts";
import type { ProfileEdit } from "../../domain/profiles/change-profile.ts";
import { effectOnRuns, figuresOf } from "../../domain/profiles/plan-sync.ts";
import type { Book } from "../../domain/profiles/profile.ts";
import { countEchoes, editProfile, type RegisterAnswer } from "../../domain/profiles/save-profile.ts";
import { profileAudit } from "../../published.ts";
import type { CarriedProfile } from "../../store/profiles/profiles.ts";
import { countValues } from "../ledger/count-values.ts";
import { publishStates } from "../ledger/publish-states.ts";
import { touchLiveRun } from "../runs/touch-live-run.ts";
import { findAsset } from "./find-asset.ts";
import { type KnownBooks, openFrom, readKnownAssets, readSetting } from "./read-known-assets.ts";

export type SaveProfile = {
  assetId: string;
  book: Book;
  edit: ProfileEdit;
  ifRevIn: readonly number[];
};

export type SavedProfile = { profile: CarriedProfile; currency: string; created: boolean };

/**
 * Makes the profile of an asset in a book, or changes it. The fields of book `book` that register owns are written there
 * first, outside the transaction: the answer has the rev of the asset that holds them.
 *
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED, ASSET_DISPOSED, VALIDATION_FAILED, PROFILE_PERIOD_POSTED; UNAVAILABLE
 */
export async function saveProfile(context: Context, input: SaveProfile, call: Call): Promise<SavedProfile> {
  const { mongo, stores } = context;
  const { workspaceId } = call;
  const { assetId, book } = input;
  const { currency } = await requireWorkspace(context, workspaceId);
  await findAsset(context, assetId, call);
  const changeId = changeIdOf(call);

  // Everything that can be refused is refused before register is changed.
  const [before] = await readKnownAssets(context, workspaceId, [assetId]);
  const known = requireOpen(before, input);
  const { at, month, workspace } = await readSetting(context, workspaceId);
  const { fiscalYearStart } = workspace;
  const change = { id: changeId, at, by: call.actor, month, workspaceId, fiscalYearStart };
  const edited = { ...change, newId: () => newId("prf") };
  const open = await openFrom(context, workspaceId, book);
  editProfile(known, input, { ...edited, openFrom: open });
  const answer = await writeToRegister(context, input, { changeId, currency, asset: known.asset }, call);

  return mongo.transaction(call, async (session) => {
    await stores.assets.touchMany(workspaceId, [assetId], session);
    const [present] = await readKnownAssets(context, workspaceId, [assetId], session);
    const own = requireOpen(present, { ...input, answer });
    const openFromHere = await openFrom(context, workspaceId, book, session);
    const saved = editProfile(own, { ...input, answer }, { ...edited, openFrom: openFromHere });
    const { stored, after, created } = saved;
    if (after === stored) return { profile: after, currency, created };
    if (stored === undefined) await stores.profiles.insertMany(workspaceId, [after], session);
    else await stores.profiles.saveMany(workspaceId, [{ before: stored, after }], session);
    const saving = [{ before: stored, after }];
    await countValues(context, session, saving, { [book]: openFromHere });
    const effectiveOn = effectOnRuns(stored, after);
    await touchLiveRun(context, session, workspaceId, book, [{ assetId, effectiveOn }]);
    if (book === "book") {
      const update = [{ assetId, set: figuresOf(after) }];
      const published = { workspaceId, currency, change: "profileChanged" as const, at };
      await publishStates(context, session, update, published);
    }
    const action = created ? "depr_profile.created" : "depr_profile.changed";
    const changes = auditedProfile(created ? undefined : stored, after, currency);
    await context.outbox.add(session, profileAudit(call, at, action, after.id, changes));
    return { profile: after, currency, created };
  });
}

/** The same for a repeat of the call, so that register writes the fields once. */
function changeIdOf({ keyed }: Call): string {
  if (keyed === undefined) return newId("chg");
  const { workspaceId, principal, route, key, fingerprint } = keyed;
  return deterministicId("chg", new Date(0), workspaceId, principal, route, key, fingerprint);
}

type Condition = Pick<SaveProfile, "book" | "ifRevIn"> & { answer?: RegisterAnswer | undefined };

/** @throws AppError NOT_FOUND, PRECONDITION_FAILED, ASSET_DISPOSED in this order */
function requireOpen(known: KnownBooks | undefined, { book, ifRevIn, answer }: Condition): KnownBooks {
  if (known === undefined || known.asset.deletedAt !== undefined) throw notFound("asset");
  const profile = known.profiles[book];
  const rev = profile?.rev ?? 0;
  // The events of what register has just written may have come first. Each has raised the rev.
  const before = profile === undefined ? rev : rev - countEchoes(profile, answer);
  requireRev(ifRevIn.includes(before) ? before : rev, ifRevIn);
  if (known.asset.disposal !== undefined || known.disposals.length > 0) {
    throw conflict("ASSET_DISPOSED", "The asset has been disposed of.", [
      { field: "asset_id", message: known.asset.id },
    ]);
  }
  return known;
}

/** Writes the given fields that register owns. None for book `tax`. */
async function writeToRegister(
  { clients, stores }: Context,
  { book, edit }: SaveProfile,
  { changeId, currency, asset }: { changeId: string; currency: string; asset: KnownAsset },
  call: Call,
): Promise<RegisterAnswer | undefined> {
  const { cost, salvage, lifeMonths, inServiceDate, method } = edit.fields;
  const fields = {
    ...{ cost, salvageValue: salvage, usefulLifeMonths: lifeMonths, inServiceDate },
    depreciationMethod: method,
  };
  const isGiven = Object.values(fields).some((value) => value !== undefined);
  if (book === "tax" || !isGiven) return undefined;
  const change = { assetId: asset.id, causeId: changeId, currency, fields };
  const answer = await clients.changeFinanceFields(change, call);
  // This rev may include earlier changes whose events have not arrived. The profile takes all fields of the rev it names.
  await stores.assets.projectAnswer(call.workspaceId, await clients.getAssets([asset.id], call));
  return answer;
}

import { AppError } from "@asset-register/runtime";
import { accountDisposal } from "../src/domain/disposals/account-disposal.ts";
import { type Carry, emptyCarry, type LedgerRow } from "../src/domain/ledger/ledger.ts";
import { grossAt, nbvAt } from "../src/domain/ledger/net-book-value.ts";
import { changeProfile, newProfile, type ProfileEdit } from "../src/domain/profiles/change-profile.ts";
import type { Profile, ProfileInputs } from "../src/domain/profiles/profile.ts";
import { computeLines } from "../src/domain/schedule/lines.ts";
import { addMonths, nextPeriod, type Period } from "../src/domain/schedule/period.ts";

export type Action =
  | { kind: "month_passes"; months: number }
  | { kind: "run"; months: number; discarded: boolean }
  | { kind: "profile"; inputs: ProfileInputs }
  | { kind: "change"; edit: ProfileEdit }
  | { kind: "disposal"; day: string; proceeds: number };

/** The figures of the asset that a posted month reports. */
type Reported = { nbv: number; booked: number };

const by = { kind: "user", id: "usr_1" } as const;

/** One asset in one book, whose months are posted while its inputs change: the engine without any server. */
export class SimulatedAsset {
  profile: Profile | undefined;
  carry: Carry = emptyCarry;
  rows: LedgerRow[] = [];
  month: Period = "2027-01";
  lastPosted: Period | undefined;
  disposal: { bookedIn: Period; nbv: number } | undefined;
  /** As they were reported when they were posted. */
  posted = new Map<Period, Reported>();
  private changes = 0;

  /** Refusals change nothing. */
  apply(action: Action): void {
    try {
      this.applied(action);
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== "invalid") throw error;
    }
  }

  reported(month: Period): Reported {
    const booked = this.rows.filter(({ bookedIn }) => bookedIn === month);
    const nbv =
      this.profile === undefined ? 0 : nbvAt(this.profile, this.rows, month, this.disposal?.bookedIn);
    return { nbv, booked: booked.reduce((sum, { amount }) => sum + amount, 0) };
  }

  grossAt(month: Period): number {
    return this.profile === undefined ? 0 : grossAt(this.profile, month);
  }

  private applied(action: Action): void {
    const openFrom = this.lastPosted === undefined ? undefined : nextPeriod(this.lastPosted);
    const change = { id: `chg_${this.changes++}`, at: new Date(0), by, month: this.month, openFrom };
    switch (action.kind) {
      case "month_passes":
        this.month = addMonths(this.month, action.months);
        return;
      case "run":
        this.run(action.months, action.discarded);
        return;
      case "profile": {
        if (this.profile !== undefined || this.disposal !== undefined) return;
        const own = {
          id: "prf_1",
          workspaceId: "wsp_1",
          assetId: "ast_1",
          book: "book",
          fiscalYearStart: 4,
        } as const;
        this.profile = newProfile(action.inputs, own, change);
        return;
      }
      case "change": {
        if (this.profile === undefined || this.disposal !== undefined) return;
        this.profile = changeProfile(this.profile, action.edit, { ...change, carry: this.carry });
        return;
      }
      case "disposal": {
        if (this.disposal !== undefined || action.day.slice(0, 7) > this.month) return;
        const { profile, rows } = this;
        const account = accountDisposal({
          ...{ id: "dsp_1", assetId: "ast_1", book: "book", date: action.day, proceeds: action.proceeds },
          ...{ profile, rows, cost: 0, openFrom },
        });
        this.rows = [...rows, ...account.rows];
        this.carry = account.carry;
        this.disposal = { bookedIn: account.bookedIn, nbv: account.nbvAtDisposal };
        return;
      }
    }
  }

  /** A run of a month after the last posted one, up to the present one. */
  private run(months: number, discarded: boolean): void {
    const first = this.lastPosted === undefined ? "2027-01" : nextPeriod(this.lastPosted);
    const through = addMonths(first, months);
    if (through > this.month || discarded) return;
    if (this.profile !== undefined && this.disposal === undefined) {
      const { id, assetId, book } = this.profile;
      const computed = computeLines(this.profile, this.carry, through);
      this.carry = computed.carry;
      for (const { period, kind, amount, causeId = `run_${through}` } of computed.lines) {
        this.rows.push({ profileId: id, assetId, book, kind, period, bookedIn: through, amount, causeId });
      }
    }
    this.lastPosted = through;
    this.posted.set(through, this.reported(through));
  }
}

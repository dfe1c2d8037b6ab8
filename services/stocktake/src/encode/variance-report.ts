import type { VarianceReportSchema } from "@asset-register/proto/assetregister/stocktake/v1/variance_report_pb";
import { encodeMoney } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { VarianceKind } from "../domain/variance.ts";
import type { VarianceReport } from "../operations/get-variance-report.ts";
import { encodeSession } from "./session.ts";
import { varianceKindNames } from "./variance.ts";

const kinds: readonly VarianceKind[] = ["found", "missing", "misplaced", "unregistered", "duplicate"];

export function encodeVarianceReport({
  session,
  totals,
  currency,
}: VarianceReport): MessageInitShape<typeof VarianceReportSchema> {
  const { coverage, accuracy } = session;
  return {
    ...{ session: encodeSession(session), coverage, accuracy },
    counts: kinds.map((kind) => {
      const { total, unresolved, confirmed_moved, written_off, ignored } = totals.counts[kind];
      return {
        ...{ kind: varianceKindNames.encode(kind), total, unresolved, ignored },
        ...{ confirmedMoved: confirmed_moved, writtenOff: written_off },
      };
    }),
    value: {
      missingCost: encodeMoney(totals.missingCost, currency),
      missingNbv: encodeMoney(totals.missingNbv, currency),
    },
  };
}

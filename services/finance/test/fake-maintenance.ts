import { MeterDirectoryService } from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import type { Implementation } from "@asset-register/rpc";
import { serving } from "@asset-register/service-harness";

/** A fake of maintenance: units that assets used until the end of months. */
export function fakeMaintenance() {
  const used = new Map<string, (month: string) => number>();
  const calls: string[][] = [];
  let beforeAnswer = async (_assetIds: string[]): Promise<void> => undefined;
  const implementations: Implementation[] = [
    serving(MeterDirectoryService, {
      async unitsOf({ assets, months }) {
        const assetIds = assets.map(({ assetId }) => assetId);
        calls.push(assetIds);
        await beforeAnswer(assetIds);
        return {
          assets: assets.flatMap(({ assetId }) => {
            const unitsUntil = used.get(assetId);
            return unitsUntil === undefined ? [] : [{ assetId, units: months.map(unitsUntil) }];
          }),
        };
      },
    }),
  ];
  return {
    implementations,
    /** The assets of each call. */
    calls,
    /** Calls a function before a call is answered. */
    onUnits(wait: typeof beforeAnswer): void {
      beforeAnswer = wait;
    },
    /** Sets the units that an asset used until the end of each month, YYYY-MM. */
    setUnits(assetId: string, unitsUntil: (month: string) => number): void {
      used.set(assetId, unitsUntil);
    },
  };
}

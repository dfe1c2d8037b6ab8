import { CalibrationService } from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeCreateCalibration } from "../decode/calibration.ts";
import { encodeCalibration } from "../encode/calibration.ts";
import { listOfAsset } from "../operations/assets/list-of-asset.ts";
import { type CalibrationView, createCalibration } from "../operations/calibrations/create-calibration.ts";

const encode = (view: CalibrationView) => ({ calibration: encodeCalibration(view) });

export function calibrationService(context: Context): Implementation {
  const { calibrations, assets } = context.stores;
  return implement(CalibrationService, {
    createCalibration: command(
      decodeCreateCalibration,
      (input, call) => createCalibration(context, input, call),
      encode,
    ),

    async getCalibration({ id }, { workspaceId }) {
      const calibration = requireFound(await calibrations.get(workspaceId, id), "calibration");
      const asset = await assets.get(workspaceId, calibration.assetId);
      return encode({ calibration, disposed: asset?.disposed ?? false });
    },

    async listCalibrations({ assetId, page }, call) {
      const list = () => calibrations.list(call.workspaceId, assetId, pageRequest(page));
      const { disposed, ...found } = await listOfAsset(context, assetId, call, list);
      const all = found.items.map((calibration) => encodeCalibration({ calibration, disposed }));
      return { calibrations: all, page: pageInfo(found) };
    },
  });
}

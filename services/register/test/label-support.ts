import { eventually } from "@asset-register/harness";
import {
  type CreateLabelSheetRequestSchema,
  type LabelSheet,
  LabelSheetStatus,
  LabelTemplateSchema,
} from "@asset-register/proto/assetregister/register/v1/label_pb";
import type { LabelTemplate } from "@asset-register/proto/label-templates";
import { enumNamesOf } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RunningRegister, Workspace } from "./support.ts";

type Request = Omit<MessageInitShape<typeof CreateLabelSheetRequestSchema>, "$typeName" | "template">;

export const templateNumber = enumNamesOf<LabelTemplate>(LabelTemplateSchema).encode;

/** Calls about labels of one workspace. */
export function labelCalls({ labels }: Pick<RunningRegister, "labels">, { admin }: Workspace) {
  const create = async (request: Request & { template?: LabelTemplate }, call: typeof admin = admin) => {
    const { template = "l7160", ...rest } = request;
    const answer = await labels.createLabelSheet({ ...rest, template: templateNumber(template) }, call);
    return requireFound(answer.labelSheet);
  };
  const read = async (id: string, call: typeof admin = admin): Promise<LabelSheet> =>
    requireFound((await labels.getLabelSheet({ id }, call)).labelSheet);
  const ended = (id: string) =>
    eventually(async () => {
      const sheet = await read(id);
      if (sheet.status === LabelSheetStatus.MAKING) throw new Error("still making");
      return sheet;
    });
  return {
    create,
    read,
    ended,
    /** Makes a sheet and waits for the end. */
    make: async (...args: Parameters<typeof create>) => ended((await create(...args)).id),
    async file(id: string, call: typeof admin = admin): Promise<Buffer> {
      const chunks: Uint8Array[] = [];
      for await (const { part } of labels.getLabelFile({ id }, call))
        if (part.case === "chunk") chunks.push(part.value);
      return Buffer.concat(chunks);
    },
  };
}

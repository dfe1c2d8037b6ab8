import { AttachmentSchema } from "@asset-register/proto/assetregister/maintenance/v1/attachment_pb";
import Type from "typebox";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, nullable, rev } from "../http/schemas.ts";

export const attachment = resource(AttachmentSchema, "Attachment", {
  id: id("att"),
  asset_id: id("ast"),
  asset_disposed: Type.Boolean(),
  name: { ...like("manual.pdf"), description: "Of the file, without folders and control characters" },
  description: nullable(like("The maker's manual")),
  content_type: { ...like("application/pdf"), description: "Decided by the content" },
  bytes: Type.Integer({ examples: [48_211] }),
  sha256: {
    ...like("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
    description: "In hex",
  },
  created_at: instant(),
  created_by: nullable(like(exampleId("usr"))),
  rev,
});

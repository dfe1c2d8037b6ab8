import { ImageSize } from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNames, field } from "@asset-register/rpc";
import { z } from "zod";

export const imageOfSize = z.object({ id: field.id(), size: field.optionalEnum(enumNames(ImageSize)) });

export const someThumbnails = z.object({ assetIds: field.ids(limits.thumbnails) });

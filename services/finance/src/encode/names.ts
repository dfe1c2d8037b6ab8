import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { DisposalStatus } from "@asset-register/proto/assetregister/finance/v1/disposal_pb";
import { DepreciationMethod, DisposalMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { DepreciationConvention } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { enumNames } from "@asset-register/rpc";

export const bookNames = enumNames(Book);
export const depreciationMethodNames = enumNames(DepreciationMethod);
export const conventionNames = enumNames(DepreciationConvention);
export const disposalMethodNames = enumNames(DisposalMethod);
export const disposalStatusNames = enumNames(DisposalStatus);

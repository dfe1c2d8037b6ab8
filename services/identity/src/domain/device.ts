import { limits } from "@asset-register/proto/limits";
import { type FieldViolation, lengthOf } from "@asset-register/runtime";
import { violation } from "./violations.ts";

/** What is known of the device that signs in. An empty `deviceUuid` asks for a new one. */
export type Device = { deviceUuid: string; label: string; platform: string; appVersion: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether `text` is a UUID of any version, in any case. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Violations of a device at sign-in. */
export function checkDevice({ deviceUuid, label, platform, appVersion }: Device): FieldViolation[] {
  const short = (field: string, value: string): FieldViolation[] =>
    violation(
      lengthOf(value) > limits.deviceText,
      field,
      `must have at most ${limits.deviceText} characters`,
    );
  return [
    ...violation(deviceUuid !== "" && !isUuid(deviceUuid), "device_uuid", "must be a UUID"),
    ...short("label", label),
    ...short("platform", platform),
    ...short("app_version", appVersion),
  ];
}

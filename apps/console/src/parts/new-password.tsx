import { limits } from "@asset-register/proto/limits";
import { Box, PasswordInput, Progress, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type ComponentProps, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { loadStrength, strengthOf } from "./password-strength.ts";

type Input = ComponentProps<typeof PasswordInput>;
type Props = {
  label?: string;
  /** The props of the form for the password and for its repetition. */
  input: Input & { value?: string };
  repeated: Input;
  /** Words that attackers guess first, such as the name of the owner. */
  personal?: readonly string[];
};

const NOTHING: readonly string[] = [];

/** A new password and its repetition, with a hint how hard it is to guess. The server decides. */
export function NewPassword({ label, input, repeated, personal = NOTHING }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <Box>
        <PasswordInput
          label={label ?? t("password.new")}
          description={t("password.rule", { count: limits.passwordLeast })}
          autoComplete="new-password"
          required
          minLength={limits.passwordLeast}
          maxLength={limits.newPassword}
          {...input}
          // Without the hint, the password can be set too.
          onFocus={() => void loadStrength().catch(() => undefined)}
        />
        <Strength password={input.value ?? ""} personal={personal} />
      </Box>
      <PasswordInput
        label={t("password.again")}
        autoComplete="new-password"
        required
        maxLength={limits.newPassword}
        {...repeated}
      />
    </>
  );
}

const JUDGED_AFTER_MS = 250;
const BARS = [
  { value: 20, color: "red" },
  { value: 35, color: "red" },
  { value: 50, color: "orange" },
  { value: 75, color: "teal" },
  { value: 100, color: "teal" },
];

function Strength({ password, personal }: { password: string; personal: readonly string[] }) {
  const { t } = useTranslation();
  const [typed] = useDebouncedValue(password, JUDGED_AFTER_MS);
  const [score, setScore] = useState<number>();
  useEffect(() => {
    let current = true;
    const judge = typed === "" ? Promise.resolve(undefined) : strengthOf(typed, personal);
    judge
      .catch(() => undefined)
      .then((next) => {
        if (current) setScore(next);
      });
    return () => {
      current = false;
    };
  }, [typed, personal]);
  if (score === undefined) return null;
  const enough = score >= limits.passwordStrength && password.length >= limits.passwordLeast;
  const bar = BARS[enough ? score : Math.min(score, limits.passwordStrength - 1)];
  const text = !enough ? "weak" : score === 4 ? "strongest" : "strong";
  return (
    <Box mt={6}>
      <Progress {...bar} value={bar?.value ?? 0} size={4} aria-hidden />
      <Text size="xs" c="dimmed" mt={4} aria-live="polite">
        {t(`password.${text}`)}
      </Text>
    </Box>
  );
}

import { Modal, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { SignInForm, useSignIn } from "./sign-in-form.tsx";

/** Above everything else. */
const Z_INDEX = 1_000;

/** Is shown above the page of a session that has ended: its user goes on, another one gets a fresh page. */
export function SignInAgain({ email }: { email: string }) {
  const { t } = useTranslation();
  const signingIn = useSignIn();
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t("signIn.againTitle")}
      zIndex={Z_INDEX}
    >
      <Text size="sm" c="dimmed" mb="md">
        {t("signIn.againText")}
      </Text>
      <SignInForm {...signingIn} email={email} />
    </Modal>
  );
}

import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { session } from "../api/authorised-fetch.ts";
import { useSession } from "../api/use-session.ts";

/** Leads to the sign-in page. A user who is signed in here is signed out first. */
export function SignInLink() {
  const { t } = useTranslation();
  const { status } = useSession();
  return (
    <Anchor
      href="/app/"
      onClick={(event) => {
        if (status !== "signed-in") return;
        event.preventDefault();
        void session.signOut().then(() => window.location.assign("/app/"));
      }}
    >
      {t("signIn.submit")}
    </Anchor>
  );
}

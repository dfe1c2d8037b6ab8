export const texts = {
  sso: {
    title: "Signing you in",
    failed: "You are not signed in",
    next: "Go back to the sign-in page and begin again. If it happens again, ask an admin of your workspace.",
    again: "To the sign-in page",
    SSO_EXPIRED: "This sign-in took too long, or it was begun in another window or browser.",
    SSO_REFUSED: "Your company's sign-in has refused, or you have cancelled it.",
    SSO_FAILED: "The answer of your company's sign-in is not valid.",
    SSO_UNAVAILABLE: "Your company's sign-in can't be reached just now. Try again in a few minutes.",
    SSO_NO_ACCOUNT:
      "Your company has signed you in, but you have no active account here. Ask an admin to invite you.",
    SSO_ACCOUNT_ELSEWHERE:
      "Your address has an account in another workspace. An address can have one account only.",
  },
};

export const texts = {
  invitation: {
    title: "Accept the invitation",
    text: "Set a password for your account.",
    name: "Your name",
    nameHint: "Left empty, the name in the invitation is kept.",
    accept: "Accept",
    noToken:
      "This link has no invitation, or the page was loaded again. Open the link of the invitation again.",
    done: "Welcome",
    doneText: "Your account is ready. Sign in as {{email}}.",
  },
};

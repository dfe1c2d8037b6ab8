// A terminal sends these to a test's process too. It ends when the run does, whose end it is told of, and
// takes what it has started along: killed on the spot it could not.
for (const name of ["SIGINT", "SIGHUP"] as const) process.on(name, () => {});

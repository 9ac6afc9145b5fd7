// The built `cms` in a process that stays: `node resident-cms.mjs CLI` runs one command after the other, as messages say,
// each in a folder and an environment of its own. Behind what a command prints comes what the message says ends it.
const [cli] = process.argv.slice(2);

const setEnvironment = (environment) => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
};

const written = (stream, text) => new Promise((resolve) => stream.write(text, resolve));

let commands = 0;

process.on("message", async ({ args, cwd, environment, end }) => {
  setEnvironment(environment);
  process.chdir(cwd);
  process.argv.splice(2, Infinity, ...args);
  process.exitCode = undefined;
  // Each command adds its own, and Node warns of the eleventh.
  process.stdout.removeAllListeners("error");
  // The file of the program runs anew; what it imports is there.
  await import(`${cli}?${(commands += 1)}`);
  const code = process.exitCode ?? 0;
  await Promise.all([written(process.stdout, end), written(process.stderr, end)]);
  process.send(code);
});
process.on("disconnect", () => process.exit(0));

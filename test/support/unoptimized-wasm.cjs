// Loaded by every process that tests start. The embedded database is WebAssembly, and a process optimizes what it runs often
// of it: that takes more than the rest of a command, which ends before it has paid.
require("node:v8").setFlagsFromString("--liftoff-only");

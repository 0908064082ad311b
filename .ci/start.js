#!/usr/bin/env node
// Starts the program of this system, which is in a package of its own.
"use strict";
const { spawn } = require("node:child_process");

const part = `${require("./package.json").name}-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${part}/bin/pipeline${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`pipeline: the package ${part} is not installed. npm leaves it out with --omit=optional, and there is none for musl.`);
  process.exit(1);
}
// Set before the program starts: else a signal that comes at once ends this process alone.
process.on("SIGINT", () => {}); // a terminal interrupts the program, too
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (why) => {
  console.error(`pipeline: ${why.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});

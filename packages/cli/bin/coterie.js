#!/usr/bin/env node
// npm links this file before the build exists, so it is committed and only imports the build.
import "../dist/main.js";

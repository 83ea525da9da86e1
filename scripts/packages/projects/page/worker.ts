import { learn } from "./learn.ts";

postMessage(await learn("in-a-worker"));

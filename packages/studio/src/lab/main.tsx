import { render } from "preact";
import { Shell } from "../page/shell.tsx";
import { SettingForm } from "./form.tsx";
import { Results } from "./results.tsx";
import { points, readAddress } from "./session.ts";

const App = () => (
  <Shell page="/lab" state={<span>Simulated in this tab</span>}>
    <div class="lab">
      <SettingForm />
      <Results />
    </div>
  </Shell>
);

/** For tests; nothing of the page depends on it. */
Object.assign(globalThis, { coterie: { points } });

readAddress();
addEventListener("hashchange", readAddress);
const root = document.getElementById("app");
if (root !== null) render(<App />, root);

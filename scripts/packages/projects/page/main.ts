import { learn } from "./learn.ts";

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const answer = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => reject(new Error(event.message));
});
const told = { tab: await learn("in-a-tab"), worker: await answer };
document.body.textContent = JSON.stringify(told);
document.title = "done";

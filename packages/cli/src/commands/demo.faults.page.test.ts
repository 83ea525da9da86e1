import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deedIn, exchangesIn, isAnswered, partedFrom, type SeenExchange } from "../testing/beats.ts";
import { type DemoPage, openDemo, PATIENCE } from "../testing/demoPage.ts";
import { openTabs } from "../testing/tabs.ts";

const executable = process.env.COTERIE_CHROMIUM;

describe.skipIf(!executable)("what is done to a demo on its page", { timeout: 400_000 }, () => {
  let demo: DemoPage;
  /** Who was made to lie, and who pooled with it then. */
  let liar = -1;
  let kin: number[] = [];

  beforeAll(async () => {
    demo = await openDemo(executable!, ["--peers", "8"]);
  });
  afterAll(() => demo?.close());

  const since = async (place: number): Promise<SeenExchange[]> => exchangesIn((await demo.beats()).slice(place));
  /** How many others those see who see least and most. A busy machine makes peers doubt each other for a moment. */
  const least = async (): Promise<number> => Math.min(...(await demo.peers()).map(({ sees }) => sees));
  const most = async (): Promise<number> => Math.max(...(await demo.peers()).map(({ sees }) => sees));

  it("a cut parts the network: no connection between the halves, and neither sees the other", async () => {
    await expect.poll(least, PATIENCE).toBeGreaterThan(3);
    await expect.poll(async () => (await since(0)).filter(isAnswered).length, PATIENCE).toBeGreaterThan(10);
    await demo.button("Cut the network in two").click();
    await expect.poll(() => demo.button("Heal the cut").count(), PATIENCE).toBe(1);
    await expect.poll(() => demo.text(".side .body"), PATIENCE).toContain("The network was cut in two");
    await expect.poll(most, PATIENCE).toBe(3);
    await expect.poll(() => demo.text(".verdicts")).toMatch(/cut in two, each sees (\d to )?3 of 7 others/);
    const cut = deedIn(await demo.beats(), "cut");
    const beyond = new Set(cut.peers);
    expect(beyond.size).toBe(4);
    const isAcross = ({ peer, partner }: SeenExchange): boolean => beyond.has(peer) !== beyond.has(partner);
    // What was under way when it was cut may still be told a moment later.
    const from = cut.place + 8;
    // Each half goes on for itself.
    const within = async (): Promise<number> =>
      (await since(from)).filter((one) => !isAcross(one) && isAnswered(one)).length;
    await expect.poll(within, PATIENCE).toBeGreaterThan(8);
    expect((await since(from)).filter((one) => isAcross(one) && (isAnswered(one) || one.receivedBytes > 0))).toEqual(
      [],
    );
    await demo.button("Heal the cut").click();
    await expect.poll(() => demo.button("Cut the network in two").count(), PATIENCE).toBe(1);
    await expect.poll(least, PATIENCE).toBeGreaterThan(3);
    const heal = deedIn(await demo.beats(), "heal").place;
    const back = async (): Promise<number> =>
      (await since(heal)).filter((one) => isAcross(one) && isAnswered(one)).length;
    await expect.poll(back, PATIENCE).toBeGreaterThan(2);
    expect(await demo.text(".side .body")).toContain("The cut was healed");
    expect(await demo.text(".verdicts")).not.toContain("cut in two");
  });

  it("a peer that is killed is gone, and five that are added take part", async () => {
    await demo.page.locator(".table tbody tr th button").nth(2).click();
    await demo.button("Kill this peer").click();
    await expect.poll(() => demo.text(".side .body"), PATIENCE).toContain("was killed");
    await expect.poll(() => demo.states()).toContain("gone");
    await demo.page.getByRole("button", { name: "Close" }).click();
    await expect.poll(most, PATIENCE).toBe(6);
    await demo.button("Add 5 peers").click();
    await expect.poll(async () => (await demo.peers()).length, PATIENCE).toBe(12);
    await expect.poll(() => demo.text(".side .body"), PATIENCE).toContain("5 peers were added");
    const [newest] = deedIn(await demo.beats(), "add").peers.slice(-1);
    const { place, peers } = deedIn(await demo.beats(), "kill");
    const takesPart = async (): Promise<boolean> =>
      (await since(place + 8)).some((one) => one.peer === newest && isAnswered(one));
    await expect.poll(takesPart, PATIENCE).toBe(true);
    const [killed] = peers;
    const about = (await since(place + 8)).filter(({ peer, partner }) => peer === killed || partner === killed);
    expect(about.filter((one) => one.peer === killed || isAnswered(one))).toEqual([]);
    expect((await demo.peers()).filter(({ pool }) => pool.includes(killed ?? -1))).toEqual([]);
  });

  it("a peer is made to lie that others pool with", async () => {
    const believed = async (): Promise<number | undefined> => {
      const all = await demo.peers();
      const kinOf = (peer: number) => all.filter(({ pool }) => pool.includes(peer)).map((one) => one.peer);
      const found = all.find(({ peer }) => kinOf(peer).length > 1)?.peer;
      if (found !== undefined) [liar, kin] = [found, kinOf(found)];
      return found;
    };
    await expect.poll(believed, { ...PATIENCE, timeout: 180_000 }).toBeDefined();
    const { name } = (await demo.peers()).find(({ peer }) => peer === liar)!;
    await demo.page.locator(".table tbody").getByRole("button", { name, exact: true }).click();
    await demo.button("Make this peer lie").click();
    await expect.poll(() => demo.states(), PATIENCE).toContain("lies");
    await expect.poll(() => demo.text(".side .body")).toContain("It was made to lie.");
  });

  it("nothing, without the token", async () => {
    const strangers = await openTabs(executable!, 600);
    const other = await strangers.open(demo.plain);
    const add = other.getByRole("button", { name: "Add 5 peers" });
    await expect.poll(() => other.locator(".table tbody tr th").count(), PATIENCE).toBeGreaterThan(8);
    expect(await add.isDisabled()).toBe(true);
    // Why is to be read without pointing at anything.
    expect(await other.locator(".hint").innerText()).toContain("It has the token in it");
    expect(await add.getAttribute("aria-describedby")).toBe(await other.locator(".hint").getAttribute("id"));
    await strangers.close();
  });

  it("the liar's kin find out: none of them pools with it any more, until it tells the truth", async () => {
    // A pool may falter for a moment without a lie; this lasts.
    const parted = async (): Promise<boolean> => {
      const all = await demo.beats();
      const when = partedFrom(all, liar);
      return kin.every((peer) => all[all.length - 1].at - (when.get(peer) ?? Number.POSITIVE_INFINITY) > 6000);
    };
    await expect.poll(parted, { ...PATIENCE, timeout: 180_000 }).toBe(true);
    await demo.button("Let it tell the truth").click();
    await expect.poll(() => demo.states(), PATIENCE).not.toContain("lies");
  });

  it("a tab that joins is seen as a guest, met by the others, and gone when it is closed", async () => {
    const tab = await demo.tabs.open(`${demo.plain}join`);
    await expect.poll(() => tab.locator(".told").innerText(), PATIENCE).toMatch(/In the room with \d+ other peers/);
    await tab.locator("h2#title").waitFor();
    await tab.keyboard.press("5");
    const guest = async (): Promise<number> =>
      (await demo.beats()).flatMap(({ joined }) => joined ?? []).find(({ name }) => name === "Guest 1")?.peer ?? -1;
    await expect.poll(guest, PATIENCE).toBeGreaterThan(0);
    const peer = await guest();
    const isMet = async (): Promise<boolean> => (await since(0)).some((one) => one.partner === peer && isAnswered(one));
    await expect.poll(isMet, PATIENCE).toBe(true);
    await tab.close();
    await expect.poll(async () => (await demo.peers()).some((one) => one.peer === peer), PATIENCE).toBe(false);
  });

  it("all without an error on a console, and no request left this machine", () => {
    expect(demo.tabs.complaints).toEqual([]);
  });
});

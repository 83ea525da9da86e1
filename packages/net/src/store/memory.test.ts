import { memoryStore } from "./memory.ts";
import { storeStories } from "./testing/stories.ts";

storeStories("memory", async () => ({ factory: memoryStore(), teardown: async () => {} }));

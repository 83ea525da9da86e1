export { choose, largest, pairArms, scoreArms } from "./choose";
export { drawArms, drawBelow, drawNoise } from "./draw";
export { evidencePair, inversePair, mixPair, solvePair } from "./evidence";
export { refresh, refreshLocal, refreshTheory } from "./factor";
export { addLocal, addOpen, updateLocal } from "./local";
export { evidenceOne, factorOne, invertLowerOne, invertOne } from "./one";
export { endEpoch, replay } from "./replay";
export { halfSum, multiplyAdd } from "./roof";
export { squareOne } from "./square";

/**
 * A double, and the two words of 32 bits it is made of. Typed arrays, because a number kept in a variable of a module would
 * be boxed anew each time. One for all: whoever writes it reads it again before anybody else can.
 */
export const words = new Uint32Array(2);
export const double = new Float64Array(words.buffer);

double[0] = 1;
/** Which of the two words holds sign and exponent: 1 on every little-endian machine. */
export const HIGH = words[1] === 0 ? 0 : 1;

// What React Native has of a platform beside the language, for an engine that has less; run before the story. Nothing of a
// browser is here, and nothing of Node. `randomBytes` is the machine's chance.
(function prepare(world) {
  const { randomBytes, clearTimeout } = world;
  let at = 0;
  // react-native-get-random-values
  world.crypto = {
    getRandomValues: (array) => {
      for (let index = 0; index < array.length; index += 1) {
        array[index] = randomBytes[at];
        at = (at + 1) % randomBytes.length;
      }
      return array;
    },
  };
  // Hermes has one, and no decoder.
  world.TextEncoder = function TextEncoder() {};
  world.TextEncoder.prototype.encode = (text) => {
    const escaped = unescape(encodeURIComponent(text));
    return Uint8Array.from(escaped, (character) => character.charCodeAt(0));
  };
  // The engine alone is stricter about it than React Native.
  world.clearTimeout = (timer) => (timer === undefined ? undefined : clearTimeout(timer));
  world.AbortController = function AbortController() {
    this.signal = { aborted: false, addEventListener: () => {}, removeEventListener: () => {} };
    this.abort = () => {};
  };
  // What is said there goes where the engine prints.
  world.console = world.console || { error: world.print, warn: world.print, log: world.print };
  world.global = world;
})(globalThis);

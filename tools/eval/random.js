'use strict'

/** Numbers that look random and are the same for the same seed (a linear congruential generator). */
function random(seed) {
  let state = BigInt(seed) * 2n + 1n
  const next = () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn
    return Number(state >> 33n) / 2 ** 31
  }
  const below = (count) => Math.floor(next() * count)
  const pick = (list) => list[below(list.length)]
  const sample = (list, count) => {
    const left = [...list]
    return Array.from(
      { length: Math.min(count, left.length) },
      () => left.splice(below(left.length), 1)[0],
    )
  }
  return { below, chance: (share) => next() < share, pick, sample }
}

module.exports = { random }

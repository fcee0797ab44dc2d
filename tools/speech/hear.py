"""Speaks each text of `said.json` in each voice, recognises it, and writes `heard.json`:
`{"index", "voice", "heard"}`. The same texts are heard the same.

    hear.py FOLDER      where those files are, and the models are put together
"""

import json
import os
import sys
from pathlib import Path

folder = Path(sys.argv[1])
# The Japanese voice puts its model together there; it asks when it is imported.
os.environ["KOKORO_JA_CACHE"] = str(folder / "voice")

from recogniser import Recogniser  # noqa: E402
from voice import RATE, VOICES, speak  # noqa: E402

recogniser = Recogniser(folder / "recogniser")


def hear(text, voice):
    audio = speak(text["said"], text["lang"], voice)
    return recogniser.hear(audio, RATE, text["lang"])


texts = json.loads((folder / "said.json").read_text("utf-8"))
heard = [
    {"index": index, "voice": voice, "heard": hear(text, voice)}
    for index, text in enumerate(texts)
    for voice in VOICES
]
(folder / "heard.json").write_text(json.dumps(heard), "utf-8")

"""The student without a voice bundle: the teacher outputs a tone."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file
from student import losses, model, prosody, sound, speech, texts, train

FRAMES = 60


class Hum(speech.Teacher):
    """Speaks a vowel at 100 Hz for every line."""

    def __init__(self, folder: Path) -> None:
        super().__init__(Path("speech-teacher"), Path("bundle"), folder)
        self.asked: list[str] = []

    def predict(self, name: str, lines: object) -> list[speech.Utterance]:
        return self.speak(name, lines)

    def speak(self, name: str, lines: object) -> list[speech.Utterance]:
        self.asked.append(name)
        self._folder.mkdir(exist_ok=True)
        wave = np.sin(2 * np.pi * 100 / sound.RATE * np.arange(2 * FRAMES * sound.HOP))
        tensors, about = {}, []
        for number, line in enumerate(map(json.loads, lines)):
            tensors |= {
                f"{number}.tokens": np.array([0, 43, 44, 0], np.uint16),
                f"{number}.durations": np.array([5, 20, 30, 5], np.uint16),
                f"{number}.pitch": np.full(2 * FRAMES, 100, np.float32),
                f"{number}.energy": np.zeros(2 * FRAMES, np.float32),
                f"{number}.style": np.linspace(-1, 1, 256, dtype=np.float32),
                f"{number}.samples": (wave * 8000).astype(np.int16),
            }
            about.append({**line, "number": number})
        path = self._folder / f"{name}.safetensors"
        save_file(tensors, path, {"utterances": json.dumps(about)})
        return speech.read(path)


def test_lines_are_the_same_for_a_seed_and_of_all_voices_and_languages() -> None:
    lines = [json.loads(line) for line in texts.lines(3, 40)]
    assert lines == [json.loads(line) for line in texts.lines(3, 40)]
    assert lines != [json.loads(line) for line in texts.lines(4, 40)]
    assert {line["pair"] for line in lines} == {f"{v}/{l}" for v in texts.VOICES for l in texts.LANGUAGES}
    altered = [line for line in lines if line["rate"] != 1 or line["pitch"] != 0]
    assert 0.3 < len(altered) / len(lines) < 0.6
    held_out = {json.loads(line)["text"] for line in speech.held_out(6, "choice")}
    assert not held_out & {text for name in texts.LANGUAGES for text in texts.Language(name).sentences}


def test_pulses_are_all_harmonics_below_11_khz() -> None:
    pulses = sound.pulses(torch.full((1, 80), 220.0))[0].numpy()
    spectrum = np.abs(np.fft.rfft(pulses[:24000] * np.hanning(24000))) / 6000
    peaks = [spectrum[220 * n] for n in range(1, 54)]
    assert np.allclose(peaks[:49], 1, atol=0.03)
    assert max(peaks[50:]) < 0.01
    assert not sound.pulses(torch.zeros(1, 4)).any()


def test_a_spectrum_and_its_samples_are_the_same_sound() -> None:
    samples = torch.randn(2, 40 * sound.HOP, generator=torch.Generator().manual_seed(1))
    spectrum = torch.stft(samples, sound.FFT, sound.HOP, window=torch.hann_window(sound.FFT), return_complex=True)
    again = sound.samples(spectrum[:, :, :40])
    assert torch.allclose(again[:, 600:-900], samples[:, 600:-900], atol=1e-4)


def test_the_distance_is_none_for_the_same_sound_and_grows_with_noise() -> None:
    samples = torch.randn(1, 24000, generator=torch.Generator().manual_seed(1))
    assert losses.distance(samples, samples).item() == pytest.approx(0, abs=1e-6)
    near, far = (losses.distance(samples + scale * samples.flip(1), samples).item() for scale in (0.1, 1.0))
    assert 0 < near < far


def test_training_learns_and_goes_on_where_it_was_left(tmp_path: Path) -> None:
    torch.manual_seed(0)
    path = tmp_path / "decoder.safetensors"
    teacher = Hum(tmp_path / "speech")
    recipe = train.Recipe(steps=6, minutes=5, size=10, device="cpu", critics=0)
    start = train.State(model.Decoder().state_dict())
    judged = teacher.speak("held_out", speech.held_out(1, "choice"))
    before = train.measure(train.decoder(start.weights), judged, "cpu")
    first = train.train(start, teacher, recipe, path)
    assert (first.steps, first.part) == (6, 2)
    assert first.distance < before
    kept = train.State.read(path)
    assert (kept.steps, kept.part) == (6, 2)
    assert kept.distance == pytest.approx(first.distance, abs=1e-3)
    assert path.stat().st_size < 16e6
    # With critics, from the next part of the speech on.
    recipe = train.Recipe(steps=8, minutes=5, size=10, device="cpu", critics=4)
    assert train.train(kept, teacher, recipe, path).steps == 8
    assert teacher.asked[-1] == "part_2"


def test_the_prosody_learns_and_goes_on_where_it_was_left(tmp_path: Path) -> None:
    torch.manual_seed(0)
    path = tmp_path / "prosody.safetensors"
    teacher = Hum(tmp_path / "speech")
    start = train.State(model.Prosody().state_dict())
    judged = teacher.predict("prosody_held_out", speech.held_out(1, "choice"))
    before = prosody.measure(model.Prosody(), judged)
    first = prosody.train(start, teacher, 40, 5, 4, path)
    assert (first.steps, first.part) == (40, 2)
    assert first.distance < sum(before)
    assert prosody.train(train.State.read(path), teacher, 42, 5, 4, path).steps == 42
    assert teacher.asked[-1] == "prosody_2"


def test_what_is_beyond_an_utterance_counts_for_nothing(tmp_path: Path) -> None:
    torch.manual_seed(0)
    network = model.Prosody()
    one = Hum(tmp_path).speak("one", speech.held_out(1, "choice"))[0]
    long = dataclasses.replace(
        one,
        tokens=np.arange(1, 9),
        index=np.repeat(np.arange(8), 40),
        pitch=np.full(320, 200, np.float32),
        energy=np.ones(320, np.float32),
    )
    alone, both = (prosody.batch(some) for some in ([one], [one, long]))
    with torch.no_grad():
        texts = [network.encoded(given.tokens, given.mask, given.style) for given in (alone, both)]
        durations = [network.durations(text)[0, :4] for text in texts]
        curves = [
            network.curves(text, given.index, given.frames, given.style)[0][0, : 2 * FRAMES]
            for text, given in zip(texts, (alone, both))
        ]
    assert torch.allclose(*durations, atol=1e-4)
    assert torch.allclose(*curves, atol=1e-2)


def test_a_batch_is_made_of_pieces_of_a_second(tmp_path: Path) -> None:
    batch = speech.Speech(Hum(tmp_path), 1).batch(10)
    assert batch.samples.shape == (10, 80 * sound.HOP)
    assert batch.index.shape == batch.pitch.shape == (10, 80)
    assert batch.style.shape == (10, model.STYLE)
    # A style of two parts has the decoder's for the generator too.
    assert torch.equal(batch.style[0, :128], batch.style[0, 128:])
    ahead = speech.Speech(Hum(tmp_path), 1, workers=2)
    ahead.renew()
    assert ahead.number == 3
    short = speech.Speech(Hum(tmp_path), 1)._groups["aria/en-US"][0].piece(100, 80)
    assert len(short.index) == 80
    assert not short.samples[20 * sound.HOP :].any()


def test_other_weights_are_refused() -> None:
    weights = model.Decoder().state_dict()
    weights.pop("head.bias")
    with pytest.raises(ValueError, match="head.bias"):
        train.decoder(weights)

"""Batches: speaks a table of texts into a folder. An interrupted run is resumed.

>>> import libspeech
>>> from libspeech import batch
>>> rows = [{"id": "greeting", "text": "Good morning.", "voice": "leo"}, {"id": "empty", "text": ""}]
>>> for row in batch.speak(libspeech.Engine(), rows, "spoken"):
...     print(row.id, row.error or row.sound.path.suffix)
greeting .wav
empty text is empty

The folder has the same format as that of the command ``speech batch``: the same rows with the same voice bundle,
kernels and precision give the same files.
"""

from libspeech._batch import Batch, Damage, Progress, Report, Row, Sound, check, speak

__all__ = ["Batch", "Damage", "Progress", "Report", "Row", "Sound", "check", "speak"]

from __future__ import annotations

import pytest
from load.player import Player
from load.summary import BYTES_PER_SECOND


def test_a_player_has_nothing_to_play_between_sound_that_is_late():
    player = Player()
    for now, seconds in [(5.0, 1.0), (5.2, 0.5), (7.0, 1.0), (8.25, 0.5)]:
        player.take(now, int(seconds * BYTES_PER_SECOND))
    assert player.begun == 5.0
    assert player.ends == pytest.approx(8.75)
    assert player.gaps == pytest.approx(0.5 + 0.25)

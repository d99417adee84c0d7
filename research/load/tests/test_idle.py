from __future__ import annotations

import asyncio

import pytest
from load.errors import LoadError
from load.idle import REQUEST, idle

FINE = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n"


def visit(answers, count):
    """Opens connections to a server that gives these answers on each and then leaves; returns the requests it got."""
    asked = []

    async def answer(reader, writer):
        for reply in answers:
            asked.append(await reader.readexactly(len(REQUEST)))
            writer.write(reply)
        writer.close()

    async def run():
        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            async with idle(f"http://127.0.0.1:{port}", count):
                assert len(asked) == count

    asyncio.run(run())
    return asked


def test_each_is_answered_before_and_after():
    assert visit([FINE, FINE], 3) == [REQUEST] * 6


@pytest.mark.parametrize("answers", [[FINE], [FINE, FINE.replace(b"200 OK", b"503 No")]])
def test_one_that_is_not_answered_is_an_error(answers):
    with pytest.raises(LoadError, match="an idle connection"):
        visit(answers, 2)

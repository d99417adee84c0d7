"""The latency tiers of an application that also transcribes: which are available here, and what they cost."""

from __future__ import annotations

import argparse

from libspeech import InvalidTierError, Tier, TierCatalogue, tiers

# What this deployment can run: left and right context, in encoder frames.
CONTEXTS = [(70, 3), (70, 6)]


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tier", nargs="*", default=["ultra", "turbo"], help="in order of preference")
    parser.add_argument("--seconds", type=float, default=90.0, help="of audio")
    options = parser.parse_args()

    catalogue = tiers(CONTEXTS)  # once, at startup
    for entry in catalogue.tiers:
        note = "" if entry.available else "  (not here)"
        price = f"{entry.rate_usd_per_second:.6f} USD a second"
        print(f"{entry.tier.value:<8}  {entry.latency_ms:>4} ms  {price}{note}")
    ranked = ", ".join(tier.value for tier in catalogue.ranked_for("mid_sentence"))
    print(f"while a person waits in mid-sentence: {ranked}")

    tier = first(catalogue, options.tier)
    charge = tier.charge(options.seconds)
    print(f"{options.seconds:g} s in {tier.value}: {charge} micro-dollars")


def first(catalogue: TierCatalogue, names: list[str]) -> Tier:
    """The first of these tiers that is available here.

    The library never replaces a tier by another one. An application that prefers another tier to an error lists the
    acceptable ones in advance.
    """
    for name in names:
        try:
            return catalogue.resolve(name)
        except InvalidTierError as error:
            print(error)
    return catalogue.default


if __name__ == "__main__":
    main()

"""The reference of the C interface, in Markdown, from the comments of `speech.h`."""

import re

# A section, or a comment with its declaration, which is one line or several.
PART = re.compile(
    r"^/\* ---- (?P<section>.*?) ---- \*/\n"
    r"|^(?P<says>(?://.*\n)+)(?!\n|/\* ---- )"
    r"(?P<declared>.*;\n|(?:.*\n)*?(?:#.*|\}[; ].*|.*\);)\n)",
    re.MULTILINE,
)
# The name of a public declaration.
NAME = re.compile(
    r"#define (\w+)|SPEECH_ENUM\((\w+)|typedef struct (?:.*\} )?(\w+)|typedef.*?\(\*(\w+)"
    r"|(?!#|SPEECH_DECLARATIONS)[^(]*?(\w+)\("
)
# Macros for other compilers and languages.
MACROS = re.compile(r"SPEECH_API( |$)| SPEECH_SWIFT_NAME\([^)]*\)")
FUNCTION = re.compile(r"^(?!//| \*|#define)(?:.*\W)?(speech_\w+)\(", re.MULTILINE)


def page(header: str) -> str:
    parts = [("Constants and types", None, None)]
    for part in PART.finditer(header):
        if part["section"]:
            parts.append((part["section"].capitalize(), None, None))
            continue
        lines = part["declared"].splitlines()
        if name := NAME.match(" ".join(lines)):
            says = re.sub("^// ?", "", part["says"], flags=re.MULTILINE).removesuffix("\n")
            parts.append((name[name.lastindex], says, "\n".join(filter(None, map(plain, lines)))))
    names = {name for name, says, _ in parts if says}
    missing = set(FUNCTION.findall(header)) - names
    assert names and not missing, f"no comment was found for {missing}"
    text = f"## Conventions\n\n{with_links(conventions(header), names)}"
    for name, says, declared in parts:
        if says is None:
            text += f"\n## {name}\n"
        else:
            text += f"\n### {name}\n\n{with_links(says, names)}\n\n```c\n{declared}\n```\n"
    return text


def conventions(header: str) -> str:
    """The paragraphs under `CONVENTIONS` at the top. The first line of each begins with its subject."""
    text = header.partition(" * CONVENTIONS")[2].partition(" */")[0]
    text = "\n".join(re.sub(r"^( \*)+", "", line).strip() for line in text.splitlines())
    return re.sub(r"(?<=\n\n)(.+?)\. ", r"**\1.** ", text).strip() + "\n"


def plain(line: str) -> str:
    return re.sub(r"^SPEECH_ENUM\((\w+),.*", r"enum \1 {", MACROS.sub("", line))


def with_links(text: str, names: set[str]) -> str:
    """Links `speech_engine_load()` and other functions in a text to their entries. Code spans need no escapes."""

    def word(found: re.Match[str]) -> str:
        before, name, called = found[1], found[2], found[3] or ""
        if name in names and not before:
            return f"[`{name}{called}`](#{name.lower()})"
        return before + name.replace("_", "\\_") + called

    spans = re.sub(r"(`?)([A-Za-z][A-Za-z0-9_]*)(\(\))?", word, text).split("`")
    for index, span in enumerate(spans):
        spans[index] = span.replace("\\_", "_") if index % 2 else span.replace("<", "&lt;")
    return "`".join(spans)

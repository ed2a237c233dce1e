"""Generates odd requests: heads that RFC 9112 forbids or allows in several forms, and that implementations
often parse differently. Each comes with the required outcome: accepted or refused."""

BLANKS = ["", " ", "\t", "  ", " \t", "\t \t ", " " * 50]
ODD_BYTES = ["\x0b", "\x0c", "\x00", "\x1f", "\x7f", "\r", "\n", "\x08"]
FOLDS = ["\r\n ", "\r\n\t", "\n ", "\r\n  \t"]
CASES = [str.lower, str.upper, str.title, str.swapcase]


def around(value):
    """The value with every kind of surrounding whitespace, which must not change it."""
    return [before + value + behind for before in BLANKS for behind in BLANKS]


def spoilt(value):
    """Values that no parser may accept as that value."""
    folds = (
        [fold + value for fold in FOLDS]
        + [value + fold + "x" for fold in FOLDS]
        + [value[:1] + fold + value[1:] for fold in FOLDS]
    )
    bytes_ = (
        [odd + value for odd in ODD_BYTES]
        + [value + odd for odd in ODD_BYTES if odd != "\r"]
        + [" " + value + " " + odd + " " for odd in ODD_BYTES]
    )
    lists = [
        f"{value},{value}",
        f"{value}, {value}",
        f"{value} {value}",
        f"{value},",
        f",{value}",
        f", {value}",
        f"{value};",
        f"{value};q=1",
        f"{value} x",
    ]
    quotes = [f'"{value}"', f"'{value}'", f"({value})", f"<{value}>"]
    return folds + bytes_ + lists + quotes


def length_values(n):
    n = str(n)
    good = around(n) + ["0" + n, "000" + n, n.zfill(18), "\t0" + n + " "]
    bad = spoilt(n) + [
        "+" + n,
        "-" + n,
        "- " + n,
        "0x" + n,
        n + ".0",
        n + "e0",
        n.zfill(19),
        "1" * 30,
        "",
        " ",
        "\t",
        n + "_0",
        n + "L",
        "٣",
        "NaN",
    ]
    return good, bad


def coding_values():
    good = around("chunked") + [case("chunked") for case in CASES]
    bad = spoilt("chunked") + [
        "identity",
        "gzip",
        "gzip, chunked",
        "chunked, identity",
        "identity, chunked",
        "x-chunked",
        "xchunked",
        "chunkedx",
        "chunke",
        "chunked-",
        "",
        " ",
        "\t",
        "chunked\xa0",
        "\xa0chunked",
        "c hunked",
        "chunked\u212a",
    ]
    return good, bad


def expect_values():
    return around("100-continue") + [case("100-continue") for case in CASES], spoilt("100-continue") + [
        "100",
        "200-ok",
        "continue",
    ]


def names(name):
    """Names are case-insensitive, and anything other than a name before the colon is refused."""
    good = [case(name) for case in CASES]
    bad = (
        [name + blank for blank in BLANKS if blank]
        + [name + odd for odd in ODD_BYTES]
        + [odd + name for odd in ODD_BYTES]
        + [" " + name, "\t" + name, name + ":x y", f'"{name}"', name + "(", "(" + name]
    )
    return good, [each for each in bad if each != name + ":x y"]


def bodies(body):
    """(name, header lines, body as sent, whether it is valid) of a request whose body could be taken for
    another request."""
    n, chunked = len(body), b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n"
    for good, values in zip((True, False), length_values(n), strict=True):
        for value in values:
            yield f"length {value!r}", [f"Content-Length:{value}"], body, good
    for good, values in zip((True, False), coding_values(), strict=True):
        for value in values:
            yield f"coding {value!r}", [f"Transfer-Encoding:{value}"], chunked, good
    for name, value, data in (("Content-Length", str(n), body), ("Transfer-Encoding", "chunked", chunked)):
        for good, forms in zip((True, False), names(name), strict=True):
            for form in forms:
                yield f"name {form!r}", [f"{form}: {value}"], data, good
        for blanks in BLANKS:
            yield (
                f"{name} twice {blanks!r}",
                [f"{name}: {value}", f"{name}:{blanks}{value}{blanks}"],
                data,
                False,
            )
            yield (
                f"{name} twice, far apart {blanks!r}",
                [f"{name}:{value}{blanks}", "X: y", f"{name.lower()}: {value}"],
                data,
                False,
            )
    for blanks in BLANKS:
        yield (
            f"both {blanks!r}",
            [f"Content-Length: {n}{blanks}", f"Transfer-Encoding:{blanks}chunked"],
            chunked,
            False,
        )
        yield (
            f"both, in reverse order {blanks!r}",
            [f"Transfer-Encoding: chunked{blanks}", f"Content-Length:{blanks}{n}"],
            chunked,
            False,
        )
    for good, values in zip((True, False), expect_values(), strict=True):
        for value in values:
            yield f"expect {value!r}", [f"Content-Length: {n}", f"Expect:{value}"], body, good
    for value in around("application/json"):
        yield f"type {value!r}", [f"Content-Length: {n}", f"Content-Type:{value}"], body, True
    for header in ("Authorization", "Idempotency-Key", "Origin", "traceparent", "Content-Type", "Host"):
        for blanks in BLANKS:
            yield (
                f"{header} twice {blanks!r}",
                [f"Content-Length: {n}", f"{header}: a", f"{header}:{blanks}a{blanks}"],
                body,
                False,
            )


def queries():
    """(name, the query, whether the server refuses it because of too many parameters)"""
    for n in (1, 2, 63, 64, 65, 66, 100, 500, 900):
        for one in ("", "a", "a=", "a=b", "=", "%26"):
            query = "&".join([one] * n)
            if len(query) < 1900:
                yield f"{n} of {one!r}", query, n > 64

"""Ambiguous requests: a proxy passes each on as one request, and the server might read it as two."""

HOST = b"Host: x\r\n"
JSON = b"Content-Type: application/json\r\n"
LOGIN = b"POST /v1/auth/login HTTP/1.1\r\n" + HOST + JSON
CHUNKED = LOGIN + b"Transfer-Encoding: chunked\r\n\r\n"
GET = b"GET /healthz HTTP/1.1\r\n"
# The smuggled request, which gets a reply and keeps the connection open if the server reads it.
INNER = b"GET /version HTTP/1.1\r\nHost: x\r\n\r\n"


def of_length(value, name=b"Content-Length"):
    """A POST whose body is another request, with the correct length."""
    return LOGIN + name + b": " + value + b"\r\n\r\n" + INNER


N = b"%d" % len(INNER)

# name → (bytes, code of the problem, (header, its fault) or None)
ATTACKS = {
    # the length of the body
    "a blank before the colon": (of_length(N, b"Content-Length "), "bad_header_line", None),
    "a tab before the colon": (of_length(N, b"Content-Length\t"), "bad_header_line", None),
    "a length with a sign": (of_length(b"+" + N), "bad_request", ("Content-Length", "not_a_length")),
    "a negative length": (of_length(b"-1"), "bad_request", ("Content-Length", "not_a_length")),
    "a hexadecimal length": (of_length(b"0x20"), "bad_request", ("Content-Length", "not_a_length")),
    "a list of lengths": (of_length(N + b", " + N), "bad_request", ("Content-Length", "not_a_length")),
    "a list of other lengths": (of_length(N + b",0"), "bad_request", ("Content-Length", "not_a_length")),
    "a length and more": (of_length(N + b" x"), "bad_request", ("Content-Length", "not_a_length")),
    "no length": (of_length(b""), "bad_request", ("Content-Length", "not_a_length")),
    "a length that overflows": (of_length(b"1" * 30), "bad_request", ("Content-Length", "not_a_length")),
    "a length with a fraction": (of_length(b"5.0"), "bad_request", ("Content-Length", "not_a_length")),
    "two lengths": (of_length(N + b"\r\nContent-Length: 0"), "bad_request", ("Content-Length", "not_once")),
    "the same length twice": (
        of_length(N + b"\r\ncontent-length: " + N),
        "bad_request",
        ("Content-Length", "not_once"),
    ),
    "length and chunks": (
        of_length(N + b"\r\nTransfer-Encoding: chunked"),
        "bad_request",
        ("Content-Length", "not_alone"),
    ),
    "chunks and length": (
        LOGIN + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + INNER,
        "bad_request",
        ("Content-Length", "not_alone"),
    ),
    # its encoding
    "another coding": (
        LOGIN + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + INNER,
        "bad_request",
        ("Transfer-Encoding", "not_chunked"),
    ),
    "chunked after another": (
        LOGIN + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + INNER,
        "bad_request",
        ("Transfer-Encoding", "not_chunked"),
    ),
    "chunked before another": (
        LOGIN + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + INNER,
        "bad_request",
        ("Transfer-Encoding", "not_chunked"),
    ),
    "chunked with a vertical tab": (
        LOGIN + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n" + INNER,
        "bad_request",
        ("Transfer-Encoding", "bad_value"),
    ),
    "chunked in quotes": (
        LOGIN + b'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n' + INNER,
        "bad_request",
        ("Transfer-Encoding", "not_chunked"),
    ),
    "two codings": (
        LOGIN + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + INNER,
        "bad_request",
        ("Transfer-Encoding", "not_once"),
    ),
    "chunked twice": (
        LOGIN + b"Transfer-Encoding: chunked\r\nTransfer-encoding: chunked\r\n\r\n0\r\n\r\n" + INNER,
        "bad_request",
        ("Transfer-Encoding", "not_once"),
    ),
    "a blank before the colon of a coding": (
        LOGIN + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + INNER,
        "bad_header_line",
        None,
    ),
    "chunks in HTTP/1.0": (
        LOGIN.replace(b"1.1", b"1.0") + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + INNER,
        "bad_request",
        ("Transfer-Encoding", "not_in_http_1_0"),
    ),
    "a body that is packed": (
        LOGIN + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
        "bad_request",
        ("Content-Encoding", "not_taken"),
    ),
    "an expectation of another kind": (
        LOGIN + b"Expect: 100-continues\r\nContent-Length: 2\r\n\r\n{}",
        "bad_request",
        ("Expect", "not_continue"),
    ),
    # chunks
    "a chunk without a size": (CHUNKED + b"\r\n{}\r\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "a size that is not a number": (CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "a size with 0x": (CHUNKED + b"0x2\r\n{}\r\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "a size with a sign": (CHUNKED + b"+2\r\n{}\r\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "a size behind a blank": (CHUNKED + b" 2\r\n{}\r\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "a size with a blank behind": (CHUNKED + b"2 \r\n{}\r\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "a size that overflows": (CHUNKED + b"FFFFFFFFFFFFFFFF2\r\n{}\r\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "an extension": (CHUNKED + b"2;a=b\r\n{}\r\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "an extension with a bare LF": (CHUNKED + b"2;\nxx\r\n{}\r\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "a bare LF behind a size": (CHUNKED + b"2\n{}\r\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "a bare CR behind a size": (CHUNKED + b"2\rX{}\r\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "a bare LF behind a chunk": (CHUNKED + b"2\r\n{}\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "a chunk that is longer": (CHUNKED + b"2\r\n{}x\r\n0\r\n\r\n" + INNER, "bad_chunks", None),
    "a bare LF at the end": (CHUNKED + b"2\r\n{}\r\n0\n\n" + INNER, "bad_chunks", None),
    "a trailer": (CHUNKED + b"2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n" + INNER, "bad_chunks", None),
    "a last chunk without an end": (CHUNKED + b"2\r\n{}\r\n0\r\n" + INNER, "bad_chunks", None),
    # headers
    "two tokens": (
        GET + HOST + b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n",
        "bad_request",
        ("Authorization", "not_once"),
    ),
    "the same token twice": (
        GET + HOST + b"Authorization: Bearer a\r\nauthorization: Bearer a\r\n\r\n",
        "bad_request",
        ("Authorization", "not_once"),
    ),
    "two hosts": (GET + b"Host: a\r\nHost: b\r\n\r\n", "bad_request", ("Host", "not_once")),
    "the same host twice": (GET + HOST + HOST + b"\r\n", "bad_request", ("Host", "not_once")),
    "two keys": (
        LOGIN + b"Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 2\r\n\r\n{}",
        "bad_request",
        ("Idempotency-Key", "not_once"),
    ),
    "two types": (
        LOGIN + b"Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
        "bad_request",
        ("Content-Type", "not_once"),
    ),
    "no host": (GET + b"\r\n", "bad_request", ("Host", "not_once")),
    "an empty host": (GET + b"Host:\r\n\r\n", "bad_request", ("Host", "not_a_host")),
    "a host with a user": (GET + b"Host: a@b\r\n\r\n", "bad_request", ("Host", "not_a_host")),
    "a host with a path": (GET + b"Host: a/b\r\n\r\n", "bad_request", ("Host", "not_a_host")),
    "two hosts in one": (GET + b"Host: a, b\r\n\r\n", "bad_request", ("Host", "not_a_host")),
    "a NUL in a value": (
        GET + HOST + b"X-Forwarded-For: 1.2.3.4\x00, 5.6.7.8\r\n\r\n",
        "bad_request",
        ("X-Forwarded-For", "bad_value"),
    ),
    "a NUL in a token": (
        GET + HOST + b"Authorization: Bearer a\x00b\r\n\r\n",
        "bad_request",
        ("Authorization", "bad_value"),
    ),
    "a bare CR in a value": (
        GET + HOST + b"X: a\rContent-Length: 5\r\n\r\n",
        "bad_request",
        ("X", "bad_value"),
    ),
    "an escape in a value": (GET + HOST + b"X: \x1b[2J\r\n\r\n", "bad_request", ("X", "bad_value")),
    "a NUL in a name": (GET + HOST + b"Content\x00-Length: 5\r\n\r\n", "bad_header_line", None),
    "a blank in a name": (GET + HOST + b"Content Length: 5\r\n\r\n", "bad_header_line", None),
    "no name": (GET + HOST + b": 5\r\n\r\n", "bad_header_line", None),
    "no colon": (GET + HOST + b"Content-Length\r\n\r\n", "bad_header_line", None),
    "a folded header": (GET + HOST + b"X: a\r\n b\r\n\r\n", "bad_header_line", None),
    "a header folded by a tab": (
        GET + HOST + b"X-Forwarded-For:\r\n\t1.2.3.4\r\n\r\n",
        "bad_header_line",
        None,
    ),
    "a blank before the first header": (GET + b" " + HOST + b"\r\n", "bad_header_line", None),
    "a tab before the first header": (GET + b"\tX: y\r\n" + HOST + b"\r\n", "bad_header_line", None),
    "a bare LF behind a header": (GET + b"Host: x\nContent-Length: 5\r\n\r\n", "bad_header_line", None),
    "bare LFs at the end": (GET + b"Host: x\n\n", "bad_header_line", None),
    "a bare LF as the empty line": (GET + HOST + b"\n" + INNER, "bad_header_line", None),
    "a bare CR as the empty line": (GET + HOST + b"\r\r\n" + INNER, "bad_header_line", None),
    # the request line
    "a bare LF behind the request line": (
        GET.replace(b"\r\n", b"\n") + HOST + b"\r\n",
        "bad_request_line",
        None,
    ),
    "an empty line before it": (b"\r\n" + GET + HOST + b"\r\n", "bad_request_line", None),
    "blanks before it": (b" " + GET + HOST + b"\r\n", "bad_request_line", None),
    "two blanks": (b"GET  /healthz HTTP/1.1\r\n" + HOST + b"\r\n", "bad_request_line", None),
    "tabs": (b"GET\t/healthz\tHTTP/1.1\r\n" + HOST + b"\r\n", "bad_request_line", None),
    "two blanks before the version": (
        b"GET /healthz  HTTP/1.1\r\n" + HOST + b"\r\n",
        "bad_request_line",
        None,
    ),
    "a blank behind the version": (b"GET /healthz HTTP/1.1 \r\n" + HOST + b"\r\n", "bad_request_line", None),
    "a blank in the path": (b"GET /healthz /x HTTP/1.1\r\n" + HOST + b"\r\n", "bad_request_line", None),
    "a NUL in the path": (b"GET /healthz\x00 HTTP/1.1\r\n" + HOST + b"\r\n", "bad_request_line", None),
    "bytes beyond ASCII in the path": (
        b"GET /v1/\xc3\xa9 HTTP/1.1\r\n" + HOST + b"\r\n",
        "bad_request_line",
        None,
    ),
    "a fragment": (b"GET /healthz#x HTTP/1.1\r\n" + HOST + b"\r\n", "bad_request_line", None),
    "an invalid method": (b"G(T /healthz HTTP/1.1\r\n" + HOST + b"\r\n", "bad_request_line", None),
    "HTTP/0.9": (b"GET /healthz\r\n", "bad_request_line", None),
    "HTTP/1.2": (b"GET /healthz HTTP/1.2\r\n" + HOST + b"\r\n", "bad_request_line", None),
    "HTTP/2.0": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "bad_request_line", None),
    "HTTP/01.1": (b"GET /healthz HTTP/01.1\r\n" + HOST + b"\r\n", "bad_request_line", None),
    "a small http": (b"GET /healthz http/1.1\r\n" + HOST + b"\r\n", "bad_request_line", None),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 200, "bad_request_line", None),
    "a whole address": (b"GET http://other/healthz HTTP/1.1\r\n" + HOST + b"\r\n", "bad_path", None),
    "a host instead of a path": (b"CONNECT x:80 HTTP/1.1\r\n" + HOST + b"\r\n", "bad_path", None),
    "an asterisk": (b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n", "bad_path", None),
    "a path without a slash": (b"GET healthz HTTP/1.1\r\n" + HOST + b"\r\n", "bad_path", None),
    # size
    "a long header": (GET + HOST + b"X: " + b"y" * 9000 + b"\r\n\r\n", "head_too_large", None),
    "a long path": (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", "head_too_large", None),
    "many headers": (
        GET + HOST + b"".join(b"X%d: y\r\n" % i for i in range(100)) + b"\r\n",
        "head_too_large",
        None,
    ),
}

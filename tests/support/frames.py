"""Bytes on a live table's socket that Python's websockets would not send. Its layers below messages were
renamed in version 14, but every version has a transport to write to."""

import asyncio

WAITING_BYTES_MAX = 64 * 1024  # written, but not yet accepted by the kernel


def frame(head, payload):
    """The bytes of a frame, masked with zeros. head: FIN, reserved bits, and opcode."""
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
    return bytes([head]) + size + b"\0\0\0\0" + payload


async def write_frame(socket, fin, opcode, payload):
    """Writes a frame unchanged; waits while the send buffer is full. Raises ConnectionResetError once the
    connection is closed."""
    transport = socket.transport
    transport.write(frame(0x80 * fin | opcode, payload))
    while transport.get_write_buffer_size() > WAITING_BYTES_MAX and not transport.is_closing():
        await asyncio.sleep(0.001)
    await asyncio.sleep(0)  # lets the event loop process received data
    if transport.is_closing():
        raise ConnectionResetError

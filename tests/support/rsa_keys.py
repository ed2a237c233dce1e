"""RSA keys for stand-ins: generating one takes longer than most tests, so each process generates one for each
owner."""

import functools

from cryptography.hazmat.primitives.asymmetric import rsa


@functools.cache
def rsa_key(owner):
    """The private key (2048 bits) of this stand-in, the same for all of its instances in this process."""
    return rsa.generate_private_key(65537, 2048)

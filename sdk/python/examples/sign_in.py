"""Signs in once and stays signed in between runs: sign_in.py URL EMAIL FILE

The first run reads the password (and a second-factor code, if there is one); later runs find the session in
FILE."""

import getpass
import sys

from rummyd import ApiError, Rest, SessionFile


def signed_in(url: str, email: str, file: str) -> Rest:
    rest = Rest(url, saved=SessionFile(file))
    if rest.signed_in:
        try:
            rest.get_me()
            return rest
        except ApiError as error:
            # 401: the session was ended on another device, or expired after 30 days without use
            if error.status != 401:
                raise
    rest.sign_in(email, getpass.getpass(), lambda: input("Code: "))
    return rest


if __name__ == "__main__":
    me = signed_in(*sys.argv[1:]).get_me()
    print(f"signed in as {me['nickname']}")

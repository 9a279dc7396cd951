"""What the scripts share: URL BODY [LIMIT [COUNT]]."""
import sys

URL, BODY, LIMIT, COUNT = (sys.argv[1:] + ["", ""])[:4]
COUNT = int(COUNT or 0)


class Printer:
    """Prints bytes until there were LIMIT; take() says how many it took."""

    def __init__(self):
        self.left = int(LIMIT) if LIMIT else None

    def take(self, data):
        if self.left is None:
            return sys.stdout.buffer.write(data)
        self.left -= sys.stdout.buffer.write(data[: self.left])
        return len(data) if self.left else 0


def files():
    """COUNT files with the numbers' names, or one that takes all."""
    if not COUNT:
        return [Printer().take]
    return [open(str(n), "wb", buffering=0).write for n in range(1, COUNT + 1)]

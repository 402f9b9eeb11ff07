"""Programs on a terminal, where there are colours, a width and a line of progress."""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time


def on_terminal(command, columns=0, interrupt_at=None, **options):
    """What a command prints, if Ctrl-C is pressed as soon as it says this; and its exit code. OSError where there are no pseudo-terminals."""
    parent, child = pty.openpty()
    if columns:
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    program = subprocess.Popen([str(word) for word in command], stdout=child, stderr=child, stdin=child, env=environment, **options)
    os.close(child)
    text, interrupted, end = b"", False, time.time() + 60
    while time.time() < end:
        if select.select([parent], [], [], 0.2)[0]:
            try:
                got = os.read(parent, 65536)
            except OSError:
                break
            if not got:
                break
            text += got
        if interrupt_at and interrupt_at in text and not interrupted:
            interrupted = True
            program.send_signal(signal.SIGINT)
    os.close(parent)
    return text.decode().replace("\r\n", "\n"), program.wait(30)

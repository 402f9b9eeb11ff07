"""What a page prints, compared with what a program prints."""
import re


def shown(text):
    """As a page shows it: which libraries the machine's own libraries pull in is no business of a page."""
    text = re.sub(r"\n     Not watched inside: .*", "", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"


def same(printed, expected):
    """But for times and estimates."""
    def plain(text):
        return re.sub(r"about [\d,]+ ", "about N ", re.sub(r"\d+\.\d\d s", "T s", shown(text)))
    return plain(printed) == plain(expected)

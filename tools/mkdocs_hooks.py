"""Hooks of mkdocs: pages may link to files of the repository outside of docs/, which the site does not hold; there such a link is its text."""
import posixpath
import re


def on_page_markdown(markdown, page, **_):
    folder = posixpath.dirname(page.file.src_path)

    def inside(found):
        target = posixpath.normpath(posixpath.join(folder, found[2]))
        return found[1] if target.startswith("..") else found[0]

    return re.sub(r"\[([^\]]+)\]\(([^)#:\s]+)(?:#[^)]*)?\)", inside, markdown)

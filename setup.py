"""Build the compiled modules, and let the conformance suite in; the rest stands in pyproject.toml.

`spades_engine/search/kernel.py` is one source for two modules: imported as it stands it is the readable twin, and
Cython compiles the same file, typed by `_kernel.pxd`, into `spades_engine.search._kernel`. Cython looks the `.pxd` up
by the name of the extension, so the two modules live side by side. `spades_engine/equity/sweep.py` is another such.

The conformance suite lies on the shelf `protocol/`, where strangers take it from; `spades-match check` runs it, so an
installed copy lies inside that package.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

SUITE = Path("protocol/conformance")

checked = os.environ.get("SPADES_KERNEL_CHECKED", "0") not in ("", "0")
directives = {
    "language_level": 3,
    "annotation_typing": False,  # annotations are for the reader and for mypy; C types come from the .pxd alone
    "wraparound": False,
    "boundscheck": checked,
    "initializedcheck": checked,
    "overflowcheck": checked,
}
# No debug information: it names the build folder, and two builds of one source must be equal byte for byte. No products
# fused with sums: they would round once where the readable twin rounds twice.
compiler_flags = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0", "-ffp-contract=off"]


def twin(package: str, name: str) -> Extension:
    """Return the extension `_name` of the package that is made from its module `name`."""
    folder = package.replace(".", "/")
    extension = Extension(
        f"{package}._{name}",
        [f"{folder}/{name}.py"],
        depends=[f"{folder}/_{name}.pxd"],
        extra_compile_args=compiler_flags,
    )
    extension.cython_directives = directives
    return extension


twins = [
    twin("spades_engine.search", "kernel"),
    twin("spades_engine.search", "chain"),
    twin("spades_engine.equity", "sweep"),
]


class BuildWithSuite(build_py):
    """Put the conformance suite into `spades_match`; an editable install finds it on its shelf."""

    def suite(self) -> dict[str, str]:
        """Return where each file of the suite comes from, by where it goes."""
        files = [path for path in sorted(SUITE.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
        into = Path(self.build_lib, "spades_match", "conformance")
        return {str(into / path.relative_to(SUITE)): path.as_posix() for path in files}

    def run(self) -> None:
        """Build as ever, then copy the suite."""
        super().run()
        if not self.editable_mode:
            for target, source in self.suite().items():
                self.mkpath(os.path.dirname(target))
                self.copy_file(source, target, preserve_mode=False)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Return all files built."""
        return [*super().get_outputs(include_bytecode), *({} if self.editable_mode else self.suite())]

    def get_source_files(self) -> list[str]:
        """Return all files that an sdist must hold."""
        return [*super().get_source_files(), *self.suite().values()]


# The C file goes to the build folder; always made anew, since Cython overlooks a changed .pxd of another name.
setup(
    cmdclass={"build_py": BuildWithSuite},
    ext_modules=twins,
    options={"build_ext": {"cython_c_in_temp": True, "force": True}},
)

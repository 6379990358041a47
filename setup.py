"""Build the compiled kernel; everything else about the distribution stands in pyproject.toml.

`spades_engine/search/kernel.py` is one source for two modules: imported as it stands it is the readable twin, and
Cython compiles the same file, typed by `_kernel.pxd`, into `spades_engine.search._kernel`. Cython looks the `.pxd` up
by the name of the extension, so the two modules live side by side.
"""

import os
import sys

from setuptools import Extension, setup

checked = os.environ.get("SPADES_KERNEL_CHECKED", "0") not in ("", "0")
kernel = Extension(
    "spades_engine.search._kernel",
    ["spades_engine/search/kernel.py"],
    depends=["spades_engine/search/_kernel.pxd"],
    # No debug information: it names the build folder, and two builds of one source must be equal byte for byte.
    extra_compile_args=["/O2"] if sys.platform == "win32" else ["-O3", "-g0"],
)
kernel.cython_directives = {
    "language_level": 3,
    "annotation_typing": False,  # annotations are for the reader and for mypy; C types come from the .pxd alone
    "wraparound": False,
    "boundscheck": checked,
    "initializedcheck": checked,
    "overflowcheck": checked,
}
# The C file goes to the build folder; always made anew, since Cython overlooks a changed .pxd of another name.
setup(ext_modules=[kernel], options={"build_ext": {"cython_c_in_temp": True, "force": True}})

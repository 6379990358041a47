# C types for sweep.py. Cython finds this file by the name of the extension module, `_sweep`.

cimport cython

@cython.locals(
    steps=cython.Py_ssize_t, at=cython.Py_ssize_t, left=cython.Py_ssize_t, first=cython.Py_ssize_t,
    other=cython.Py_ssize_t, first_bags=cython.Py_ssize_t, other_bags=cython.Py_ssize_t,
    mine=cython.int, theirs=cython.int)
cpdef Py_ssize_t settle(
    float[::1] values, const int[::1] totals, Py_ssize_t bag_counts, int target, int floor) except -1

@cython.locals(
    steps=cython.Py_ssize_t, block=cython.Py_ssize_t, first_moves=cython.Py_ssize_t, other_moves=cython.Py_ssize_t,
    kinds=cython.Py_ssize_t, kind=cython.Py_ssize_t, rank=cython.Py_ssize_t, both=cython.Py_ssize_t, low=cython.Py_ssize_t,
    high=cython.Py_ssize_t, first=cython.Py_ssize_t, other=cython.Py_ssize_t, place=cython.Py_ssize_t,
    patch=cython.Py_ssize_t, start=cython.Py_ssize_t, width=cython.Py_ssize_t, at=cython.Py_ssize_t,
    row=cython.Py_ssize_t, height=cython.Py_ssize_t, first_bags=cython.Py_ssize_t, other_bags=cython.Py_ssize_t,
    mine=cython.int, theirs=cython.int, chance=cython.double, change=cython.double, greatest=cython.double)
cpdef double sweep(
    float[::1] values, double[::1] sums, const int[::1] totals, Py_ssize_t bag_counts, int target, int floor,
    const int[::1] first_follow, const int[::1] other_follow, const int[::1] patches,
    const double[::1] weights) except -1.0

@cython.locals(end=cython.Py_ssize_t, at=cython.Py_ssize_t)
cpdef add_up(unsigned short[::1] numbers, Py_ssize_t lag)

# C types for chain.py. Cython finds this file by the name of the extension module, `_chain`.

cimport cython

cdef unsigned long long _LOW32, _LOW51, _LOW47

cdef class Chain:
    cdef unsigned long long count
    cdef long long[::1] card, allowed, weights, place
    cdef unsigned long long random

    cpdef run(self, long long steps)
    @cython.locals(
        step=cython.longlong, x=cython.ulonglong, i=cython.Py_ssize_t, j=cython.Py_ssize_t, a=cython.longlong, b=cython.longlong,
        new=cython.ulonglong, old=cython.ulonglong)
    cdef int _run(self, long long steps) except -1 nogil

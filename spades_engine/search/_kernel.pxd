# C types for kernel.py. Cython finds this file by the name of the extension module, `_kernel`.

cimport cython

ctypedef unsigned long long u64

cdef u64 _LOW32, _MIX0, _MIX1, _MIX2, _MIX3
cdef u64 _SPADES, _PLAIN, _FLOORS, _LEADER, _BROKEN, _FOUR, _UNKNOWN, _UPPER
cdef int _SOLVED, _STOPPED, _NODE_LIMIT
cdef long long _STRIDE
cdef const u64[::1] _LANE, _ONE
cdef const unsigned char[::1] _LENGTH, _COUNT, _SURPLUS

cdef _bit_lengths()
cdef _bit_counts()
cdef _surpluses()

@cython.locals(top=cython.int, bottom=cython.int, spent=cython.int)
cdef int _sure(u64 mine, u64 theirs) except? -1 nogil
@cython.locals(above=cython.ulonglong)
cdef u64 _drop(u64 hand, u64 card, u64 lane) noexcept nogil
cdef u64 _low(u64 cards) noexcept nogil
@cython.locals(shift=cython.int)
cdef u64 _top(u64 cards) except? 1 nogil
cdef int _hunger(u64 want, int low, int high) except? -1 nogil
cdef u64 _lane_of(u64 card) except? 1 nogil

cdef class Solver:
    cdef u64[::1] table
    cdef u64 buckets
    cdef bint busy
    cdef const unsigned char[::1] stop, unset
    cdef long long nodes, pause, limit
    cdef int status
    cdef long long[::1] payoff, steps
    cdef int step_count
    cdef u64[::1] hands, moves, place
    cdef int seats, left, leader, broken, no_ruff, played, winner, mover, move_count, tried, best
    cdef u64 led, winning, gone
    cdef long long value

    cdef bint _paused(self) except? 1 nogil
    @cython.locals(mixed=cython.ulonglong, at=cython.Py_ssize_t)
    cdef Py_ssize_t _find(self, u64 key, u64 more) except? -1 nogil
    @cython.locals(word=cython.ulonglong, at=cython.Py_ssize_t)
    cdef int _keep(self, u64 key, u64 more, u64 left, int side, u64 proof, u64 card) except 0 nogil
    @cython.locals(
        mine=cython.ulonglong, theirs=cython.ulonglong, cards=cython.ulonglong, others=cython.ulonglong,
        full=cython.ulonglong, proof=cython.ulonglong, failed=cython.ulonglong, key=cython.ulonglong,
        word=cython.ulonglong, first=cython.ulonglong, rest=cython.ulonglong, tops=cython.ulonglong, ruffed=cython.ulonglong,
        card=cython.ulonglong, low=cython.int, high=cython.int, quick=cython.int, count=cython.int,
        suit=cython.int, shift=cython.int, hungry=cython.int, at=cython.Py_ssize_t)
    cdef u64 _lead2(self, u64 hand0, u64 hand1, int left, int leader, int broken, u64 want) except? 0 nogil
    @cython.locals(
        mine=cython.ulonglong, legal=cython.ulonglong, winners=cython.ulonglong, losers=cython.ulonglong,
        card=cython.ulonglong, proof=cython.ulonglong, failed=cython.ulonglong, early=cython.int)
    cdef u64 _reply2(self, u64 hand0, u64 hand1, int left, int leader, int broken, u64 want, int hungry,
                     u64 led, u64 lane, int no_ruff) except? 0 nogil
    @cython.locals(other=cython.ulonglong)
    cdef u64 _finish2(self, u64 hand0, u64 hand1, int left, int leader, int broken, u64 want,
                      u64 led, u64 lane, u64 card) except? 0 nogil
    @cython.locals(
        hand0=cython.ulonglong, hand1=cython.ulonglong, hand2=cython.ulonglong, hand3=cython.ulonglong,
        odd=cython.ulonglong, even=cython.ulonglong, mine=cython.ulonglong, more=cython.ulonglong,
        full=cython.ulonglong, proof=cython.ulonglong, failed=cython.ulonglong, key=cython.ulonglong,
        word=cython.ulonglong, first=cython.ulonglong, rest=cython.ulonglong, tops=cython.ulonglong, ruffed=cython.ulonglong,
        card=cython.ulonglong, low=cython.int, high=cython.int, quick=cython.int, count=cython.int,
        after=cython.ulonglong, across=cython.ulonglong, before=cython.ulonglong, partner=cython.ulonglong,
        cards=cython.ulonglong, others=cython.ulonglong, suit=cython.int,
        hungry=cython.int, at=cython.Py_ssize_t)
    cdef u64 _lead4(self, int level, int left, int leader, int broken, u64 want) except? 0 nogil
    @cython.locals(cards=cython.ulonglong, others=cython.ulonglong, run=cython.int, quick=cython.int, suit=cython.int)
    cdef int _quick4(self, u64 mine, u64 after, u64 across, u64 before) except? -1 nogil
    @cython.locals(
        mine=cython.ulonglong, legal=cython.ulonglong, winners=cython.ulonglong, losers=cython.ulonglong,
        card=cython.ulonglong, proof=cython.ulonglong, failed=cython.ulonglong, after=cython.ulonglong, others=cython.ulonglong,
        early=cython.int)
    cdef u64 _follow4(self, int level, int left, int seat, int count, int broken, u64 want, int hungry, u64 lane,
                      u64 winning, int winner, u64 gone, int no_ruff) except? 0 nogil
    @cython.locals(
        hand0=cython.ulonglong, hand1=cython.ulonglong, hand2=cython.ulonglong, hand3=cython.ulonglong,
        at=cython.Py_ssize_t)
    cdef u64 _play4(self, int level, int left, int seat, int count, int broken, u64 want, int hungry, u64 lane,
                    u64 winning, int winner, u64 gone, u64 card, int no_ruff) except? 0 nogil
    @cython.locals(hand0=cython.ulonglong, hand1=cython.ulonglong)
    cdef u64 _try(self, u64 card, u64 want) except? 0 nogil
    @cython.locals(proof=cython.ulonglong, failed=cython.ulonglong, index=cython.int)
    cdef u64 _answer(self, int first, int last, u64 want) except? 0 nogil
    @cython.locals(
        low=cython.int, high=cython.int, step=cython.int, at=cython.int, index=cython.int,
        want=cython.ulonglong, proof=cython.ulonglong)
    cdef bint _settle(self, int first, int last) except? 0 nogil
    cdef _enter(self)
    cdef _leave(self)
    @cython.locals(index=cython.Py_ssize_t)
    cdef _wipe(self)
    @cython.locals(done=cython.bint)
    cdef bint _settle_unlocked(self, int first, int last) except? 0
    cdef _check(self, hands, int leader, trick, payoff, stop)
    @cython.locals(
        union=cython.ulonglong, bit=cython.ulonglong, mine=cython.ulonglong, lane0=cython.ulonglong,
        lane1=cython.ulonglong, lane2=cython.ulonglong, lane3=cython.ulonglong, seat=cython.int, suit=cython.int,
        at=cython.int, turn=cython.int, card=cython.int)
    cdef list _set_up(self, hands, int leader, trick, payoff, bint broken, bint no_first_ruff, long long max_nodes, stop)

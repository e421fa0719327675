/* A thread that calls a function periodically: see ticker.c. */
#ifndef FRAMEJIT_TICKER_H
#define FRAMEJIT_TICKER_H

#include <stdint.h>

/* Start it: 0, or -1 with an exception. `tick` is called in it, without the GIL, every `period` ns, for the
 * first time after `wait` ns; `forked` after each fork, in both processes, before the next tick. Needs the
 * GIL. */
int fj_ticker_start(void (*tick)(void), void (*forked)(void), int64_t period, int64_t wait);

/* Pause it and wait until it has stopped: 1 if it ran. Needs the GIL, as does starting it again. */
int fj_ticker_pause(void);
void fj_ticker_resume(void);

/* Stop it, if it runs, and wait for that. Needs the GIL. */
void fj_ticker_stop(void);

#endif

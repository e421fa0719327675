/* A thread that calls a function at regular times: see ticker.c. */
#ifndef FRAMEJIT_TICKER_H
#define FRAMEJIT_TICKER_H

/* Starts it: 0, or -1 with an exception. `tick` runs in it, without the GIL, every `period` ns; `forked`
 * runs after each fork, in both processes, before it ticks again. Called with the GIL. */
int fj_ticker_start(void (*tick)(void), void (*forked)(void), long period);

/* Ends it for a moment, and waits for that: 1 if it ran. Called with the GIL, as what starts it again. */
int fj_ticker_pause(void);
void fj_ticker_resume(void);

/* Ends it, if it runs, and waits for that. Called with the GIL. */
void fj_ticker_stop(void);

#endif

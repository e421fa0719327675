/* A thread that calls a function at regular times: see ticker.c. */
#ifndef FRAMEJIT_TICKER_H
#define FRAMEJIT_TICKER_H

/* Starts it: 0, or an error number. `tick` runs without the GIL every `period` ns. */
int fj_ticker_start(void (*tick)(void), long period);

/* The same again, in the child of a fork, where the thread is not. */
int fj_ticker_start_again(void);

/* Ends it, if it runs, and waits for that. Called with the GIL. */
void fj_ticker_stop(void);

#endif

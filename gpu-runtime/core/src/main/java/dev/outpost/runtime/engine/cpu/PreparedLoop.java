package dev.outpost.runtime.engine.cpu;

/**
 * The loop of an expression over operands that lie in one way, and how its work is shared. Found once: a source is hashed as a
 * whole and looked up under a lock, which takes longer than a small kernel runs.
 *
 * @param grain elements that are worth a thread
 */
record PreparedLoop(LoopSource.Map source, Loop loop, int grain) {}

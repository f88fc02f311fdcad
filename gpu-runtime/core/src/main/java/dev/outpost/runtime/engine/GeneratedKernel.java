package dev.outpost.runtime.engine;

/** A kernel whose code was generated, so that nobody can read it elsewhere: it has to say what it is. */
public interface GeneratedKernel extends Kernel {
    /** Written by what generated the code; empty before the first run, where the code depends on how operands lie. */
    @Override
    String listing();
}

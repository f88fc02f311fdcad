package dev.outpost.runtime.engine;

/** A kernel with generated code. The code exists nowhere else, so the kernel can list it. */
public interface GeneratedKernel extends Kernel {
    /** Returns the listing by the code generator. It is empty before the first run if the code depends on the operands' layouts. */
    @Override
    String listing();
}

package dev.outpost.runtime.cuda.device;

/** Compiles code for a device. Thread-safe. */
public interface KernelCompiler {
    /** Returns the inputs of the code besides the source: the compiler's version and its target. */
    String identity();

    /**
     * Compiles a source.
     *
     * @throws dev.outpost.runtime.cuda.compile.CompilationException if the source is wrong
     */
    byte[] compile(String source);
}

package dev.outpost.runtime.cuda.device;

/** Makes code for a device. Any number of threads may. */
public interface KernelCompiler {
    /** What besides the text its code depends on: its own version and what it compiles for. */
    String identity();

    /**
     * Compiles a source.
     *
     * @throws dev.outpost.runtime.cuda.compile.CompilationException if the source is wrong
     */
    byte[] compile(String source);
}

package dev.outpost.runtime.cuda.device;

/** Makes code for a device. Any number of threads may. */
public interface KernelCompiler {
    /** The properties besides the text that its code depends on: its own version and its target. */
    String identity();

    /**
     * Compiles a source.
     *
     * @throws dev.outpost.runtime.cuda.compile.CompilationException if the source is wrong
     */
    byte[] compile(String source);
}

package dev.outpost.runtime.engine.cpu.threads;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and sets the processors on which threads may run, by Linux's {@code sched_getcpu} and {@code sched_setaffinity}. */
@SuppressWarnings("restricted")
final class Affinity {
    private static final Logger LOG = LoggerFactory.getLogger(Affinity.class);
    /** The size of the C library's {@code cpu_set_t}, in bytes. */
    private static final int SET_BYTES = 128;

    private static final class WhenWanted {
        static final Optional<Affinity> SYSTEM = load();
    }

    private final MethodHandle processor;
    private final MethodHandle thread;
    private final MethodHandle read;
    private final MethodHandle write;

    private Affinity() {
        processor = handle("sched_getcpu", FunctionDescriptor.of(JAVA_INT), Linker.Option.critical(false));
        thread = handle("gettid", FunctionDescriptor.of(JAVA_INT));
        FunctionDescriptor ofSet = FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
        read = handle("sched_getaffinity", ofSet);
        write = handle("sched_setaffinity", ofSet);
    }

    private static MethodHandle handle(String name, FunctionDescriptor type, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
    }

    /** Returns empty on systems other than Linux, or if Java may not call native code. */
    static Optional<Affinity> ofSystem() {
        return WhenWanted.SYSTEM;
    }

    private static Optional<Affinity> load() {
        if (!NativeAccess.isAllowed() || !System.getProperty("os.name").equals("Linux")) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Affinity());
        } catch (RuntimeException | Error failure) {
            LOG.debug("threads run where the system puts them: {}", failure.toString());
            return Optional.empty();
        }
    }

    /** Returns the processor on which the calling thread runs now. */
    int processor() {
        try {
            return (int) processor.invokeExact();
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns the system's id of the calling thread. */
    int thread() {
        try {
            return (int) thread.invokeExact();
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns the processors on which the thread may run; empty if the system does not report them. */
    BitSet allowed(int thread) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(SET_BYTES, Long.BYTES);
            int status = (int) read.invokeExact(thread, (long) SET_BYTES, set);
            return status < 0 ? new BitSet() : BitSet.valueOf(set.asByteBuffer());
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Restricts the thread to these processors. Nothing changes if the system refuses. */
    void allow(int thread, BitSet processors) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(SET_BYTES, Long.BYTES);
            byte[] bits = processors.toByteArray();
            MemorySegment.copy(bits, 0, set, JAVA_BYTE, 0, Math.min(bits.length, SET_BYTES));
            int ignored = (int) write.invokeExact(thread, (long) SET_BYTES, set);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

package dev.outpost.runtime.server.job;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Kills all other processes that this one may kill. Calls the C library, because an image may have no shell. */
final class OtherProcesses {
    private static final int ALL = -1;
    private static final int SIGKILL = 9;

    private OtherProcesses() {}

    /** Kills all other processes in one call, so that no process can start another one meanwhile. See kill(2). */
    @SuppressWarnings("restricted")
    static void kill() {
        Linker linker = Linker.nativeLinker();
        MethodHandle kill = linker.downcallHandle(
                linker.defaultLookup().find("kill").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            // The call returns an error if there is no other process.
            int ignored = (int) kill.invokeExact(ALL, SIGKILL);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

package dev.outpost.runtime.server.job;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** All other processes that this one may end. It calls the C library, since an image need not have a shell. */
final class OtherProcesses {
    private static final int ALL = -1;
    private static final int SIGKILL = 9;

    private OtherProcesses() {}

    /** Ends them at once, so that none can start another one meanwhile. See kill(2). */
    @SuppressWarnings("restricted")
    static void kill() {
        Linker linker = Linker.nativeLinker();
        MethodHandle kill = linker.downcallHandle(
                linker.defaultLookup().find("kill").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            // The answer is an error if there is no other process.
            int ignored = (int) kill.invokeExact(ALL, SIGKILL);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

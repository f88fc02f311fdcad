package dev.outpost.runtime.cuda.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.outpost.runtime.cuda.library.NativeText;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * NCCL's settings in the process's environment, which NCCL reads when the first communicator is created: the algorithm, the protocol, and
 * whether members register memory with each other when exchanges are captured in graphs. Without a fixed algorithm, NCCL chooses one by
 * sizes and measurements, and may sum in another order in another run. Members capture independently of each other and not at the same
 * time, so the registration of memory is switched off.
 */
@SuppressWarnings("restricted")
final class NcclAlgorithm {
    private static final String[] VARIABLES = {"NCCL_ALGO", "NCCL_PROTO"};
    private static final String[] VALUES = {"Ring", "Simple"};
    private static final String GRAPH_MEMORY = "NCCL_GRAPH_REGISTER";

    private NcclAlgorithm() {}

    /**
     * Sets the variables that the environment does not have. Returns the algorithm and the protocol as readable text.
     */
    static String fix() {
        setUnlessNamed(GRAPH_MEMORY, "0");
        String[] chosen = new String[VARIABLES.length];
        for (int index = 0; index < VARIABLES.length; index++) {
            setUnlessNamed(VARIABLES[index], VALUES[index]);
            chosen[index] = value(VARIABLES[index]);
        }
        return String.join(", ", chosen);
    }

    private static void setUnlessNamed(String name, String value) {
        MethodHandle set = function("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            int status = (int) set.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 0);
            if (status != 0) {
                throw new IllegalStateException("setenv: " + name + " cannot be set to " + value + ", got " + status);
            }
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable impossible) {
            throw new IllegalStateException("setenv: " + impossible, impossible);
        }
    }

    private static String value(String name) {
        MethodHandle get = function("getenv", FunctionDescriptor.of(ADDRESS, ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            return NativeText.at((MemorySegment) get.invokeExact(arena.allocateFrom(name)), "");
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable impossible) {
            throw new IllegalStateException("getenv: " + impossible, impossible);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }
}

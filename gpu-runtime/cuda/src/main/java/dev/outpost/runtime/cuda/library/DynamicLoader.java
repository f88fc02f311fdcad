package dev.outpost.runtime.cuda.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Calls the loader of the operating system. Unlike {@link java.lang.foreign.SymbolLookup}, it reports why a library
 * does not load, and which file it used for a name. This class works only on Linux.
 */
@SuppressWarnings("restricted")
public final class DynamicLoader {
    private static final int LAZY = 1;
    private static final int LINK_MAP = 2;

    private final NativeFunction open = function("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    private final NativeFunction error = function("dlerror", FunctionDescriptor.of(ADDRESS));
    private final NativeFunction information =
            function("dlinfo", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));

    private DynamicLoader() {}

    /**
     * Loads a library until the end of this process.
     *
     * @param name a file, or the name of a library to search in LD_LIBRARY_PATH and by ldconfig
     * @throws LibraryLoadException if there is no such library, or the loader refuses it
     */
    public static LoadedLibrary load(String name) throws LibraryLoadException {
        if (!isSupported()) {
            throw new LibraryLoadException(name + ": CUDA's libraries are used on Linux only", true);
        }
        return new DynamicLoader().loadOnLinux(name);
    }

    private static boolean isSupported() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).equals("linux");
    }

    private LoadedLibrary loadOnLinux(String name) throws LibraryLoadException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = open.callPointer(arena.allocateFrom(name), LAZY);
            if (handle.address() == 0) {
                String reason = NativeText.at(error.callPointer(), name + ": the loader does not say why");
                throw new LibraryLoadException(reason, isMissing(name, reason));
            }
            return LoadedLibrary.at(file(handle, name, arena));
        }
    }

    /**
     * Returns true if the file does not exist. The reason is in the user's language, but it begins with a path if the loader has found a
     * file.
     */
    private static boolean isMissing(String name, String reason) {
        return name.contains("/") ? !Files.exists(Path.of(name)) : reason.startsWith(name + ":");
    }

    /** Reads the loader's record of a library: its address, then its file. */
    private Path file(MemorySegment handle, String name, Arena arena) {
        MemorySegment map = arena.allocate(ADDRESS);
        if (information.callInt(handle, LINK_MAP, map) != 0) {
            return Path.of(name);
        }
        MemorySegment entry = map.get(ADDRESS, 0).reinterpret(2 * ADDRESS.byteSize());
        return Path.of(NativeText.at(entry.get(ADDRESS, ADDRESS.byteSize()), name));
    }

    private static NativeFunction function(String name, FunctionDescriptor type) {
        return new NativeFunction(name, Linker.nativeLinker().defaultLookup().findOrThrow(name), type);
    }
}

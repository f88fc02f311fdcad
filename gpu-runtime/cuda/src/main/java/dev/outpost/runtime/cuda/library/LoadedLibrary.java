package dev.outpost.runtime.cuda.library;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;

/**
 * A native library that stays in memory.
 *
 * @param file the file from which it was loaded
 * @param symbols its functions
 */
@SuppressWarnings("restricted")
public record LoadedLibrary(Path file, SymbolLookup symbols) {

    /** Returns a library that is already loaded. */
    static LoadedLibrary at(Path file) {
        return new LoadedLibrary(file, SymbolLookup.libraryLookup(file, Arena.global()));
    }

    /**
     * Returns the function of that name.
     *
     * @throws java.util.NoSuchElementException if there is none
     */
    public NativeFunction function(String name, FunctionDescriptor type) {
        return new NativeFunction(name, symbols.findOrThrow(name), type);
    }
}

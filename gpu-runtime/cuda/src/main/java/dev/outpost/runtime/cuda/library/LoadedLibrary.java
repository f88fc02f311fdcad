package dev.outpost.runtime.cuda.library;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;

/**
 * A native library that is in memory, and stays there.
 *
 * @param file where it was loaded from
 * @param symbols its functions
 */
@SuppressWarnings("restricted")
public record LoadedLibrary(Path file, SymbolLookup symbols) {

    /** A library that was loaded already, so that this finds it again. */
    static LoadedLibrary at(Path file) {
        return new LoadedLibrary(file, SymbolLookup.libraryLookup(file, Arena.global()));
    }

    /**
     * The function of that name.
     *
     * @throws java.util.NoSuchElementException if there is none
     */
    public NativeFunction function(String name, FunctionDescriptor type) {
        return new NativeFunction(name, symbols.findOrThrow(name), type);
    }
}

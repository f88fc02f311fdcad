package dev.outpost.io;

import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import java.util.Arrays;

/**
 * Converts between names of arrays and names of zip entries. Refuses names that lead out of the folder into which a
 * user unpacks the file.
 */
final class NpzNames {
    private static final String SUFFIX = ".npy";

    private NpzNames() {}

    static String entryOf(String array) {
        return array + SUFFIX;
    }

    static void requireWritable(String array) {
        if (array == null || array.isEmpty() || !isPlain(array)) {
            throw new OpException("npz", "the name of an array must not lead out of a folder, got " + shown(array));
        }
    }

    /** Returns the array's name. Fails if the entry is no array, or its path leads out of the folder. */
    static String ofEntry(String file, String entry) {
        if (!entry.endsWith(SUFFIX) || entry.length() == SUFFIX.length()) {
            throw new MalformedException(file + ": entry " + shown(entry) + " is no array");
        }
        if (!isPlain(entry)) {
            throw new MalformedException(file + ": the name of entry " + shown(entry) + " leads out of a folder");
        }
        return entry.substring(0, entry.length() - SUFFIX.length());
    }

    private static boolean isPlain(String name) {
        return name.chars().noneMatch(c -> c < ' ' || c == '\\' || c == ':' || c == 0x7f)
                && Arrays.stream(name.split("/", -1))
                        .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    }

    private static String shown(String name) {
        if (name == null) {
            return "null";
        }
        String cut = name.length() <= 120 ? name : name.substring(0, 120) + "...";
        return '"' + cut.replaceAll("\\p{Cntrl}", "?") + '"';
    }
}

package dev.outpost.runtime.session.memory;

import dev.outpost.types.MalformedException;
import java.util.HashSet;
import java.util.Set;

/** A set of used numbers. It stays small if the numbers are 1, 2, 3, … and arrive nearly in that order. */
public final class NumberSet {
    private static final int MAX_OUT_OF_ORDER = 1 << 16;

    private final Set<Long> ahead = new HashSet<>();
    private long allUpTo;

    /** Adds a number. Returns true if it is new. */
    public boolean add(long number) {
        if (number <= allUpTo || !ahead.add(number)) {
            return false;
        }
        while (ahead.remove(allUpTo + 1)) {
            allUpTo++;
        }
        if (ahead.size() > MAX_OUT_OF_ORDER) {
            throw new MalformedException("numbers must follow each other, got " + number + " after " + allUpTo);
        }
        return true;
    }
}

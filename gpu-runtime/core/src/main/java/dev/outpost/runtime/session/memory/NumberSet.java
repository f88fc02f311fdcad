package dev.outpost.runtime.session.memory;

import dev.outpost.types.MalformedException;
import java.util.HashSet;
import java.util.Set;

/** Numbers that have been used. Small as long as they are drawn 1, 2, 3, … and come in nearly that order. */
public final class NumberSet {
    private static final int MAX_OUT_OF_ORDER = 1 << 16;

    private final Set<Long> ahead = new HashSet<>();
    private long allUpTo;

    /** Whether the number is new. */
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

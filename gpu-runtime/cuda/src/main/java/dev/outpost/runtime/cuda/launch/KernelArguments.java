package dev.outpost.runtime.cuda.launch;

import java.util.Arrays;

/** The arguments of a kernel, 8 bytes each, in the order of its structure. */
public final class KernelArguments {
    private long[] words = new long[32];
    private int count;

    public KernelArguments add(long... more) {
        if (count + more.length > words.length) {
            words = Arrays.copyOf(words, Math.max(2 * words.length, count + more.length));
        }
        System.arraycopy(more, 0, words, count, more.length);
        count += more.length;
        return this;
    }

    int size() {
        return count;
    }

    long[] toArray() {
        return Arrays.copyOf(words, count);
    }
}

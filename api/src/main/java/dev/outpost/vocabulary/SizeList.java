package dev.outpost.vocabulary;

import java.util.List;

/** Sizes as PyTorch takes them: as one list, or one by one. */
final class SizeList {
    private SizeList() {}

    static long[] of(OpCall call, int place) {
        List<BoundArgument> sizes = call.rest(place);
        return sizes.stream().mapToLong(BoundArgument::integer).toArray();
    }
}

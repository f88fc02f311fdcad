package dev.outpost.vocabulary;

import java.util.List;

/** Sizes as PyTorch takes them: as one list, or one by one. */
final class SizeList {
    private SizeList() {}

    static long[] of(Call call, int place) {
        List<Given> sizes = call.rest(place);
        return sizes.stream().mapToLong(Given::integer).toArray();
    }
}

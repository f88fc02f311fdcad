package dev.outpost.client.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class LinkProbeTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8})
    void eachTwoMeetOnceAndNoneIsInTwoPairsOfARound(int size) {
        Set<List<Integer>> met = new HashSet<>();
        int pairs = 0;
        for (List<List<Integer>> round :
                LinkProbe.rounds(IntStream.range(0, size).boxed().toList())) {
            Set<Integer> busy = new HashSet<>();
            round.forEach(busy::addAll);
            assertEquals(2 * round.size(), busy.size());
            pairs += round.size();
            met.addAll(round);
        }
        assertEquals(size * (size - 1) / 2, pairs);
        assertEquals(pairs, met.size());
    }
}

package dev.outpost.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
    @ParameterizedTest
    @CsvSource({"kitten, sitting, 3", "A100, a100, 0", "'', abc, 3", "abc, '', 3", "H100, A100, 1"})
    void countsEdits(String left, String right, int edits) {
        assertEquals(edits, NearestName.distance(left, right));
    }

    @Test
    void theFirstOfTheNearestWins() {
        assertEquals(Optional.of("A100"), NearestName.among(List.of("T4", "A100", "H100"), "V100"));
    }

    @Test
    void distantNameIsNotSuggested() {
        assertEquals(Optional.empty(), NearestName.among(List.of("mock", "k8s"), "outpost"));
        assertEquals(Optional.empty(), NearestName.among(List.of(), "mock"));
    }
}

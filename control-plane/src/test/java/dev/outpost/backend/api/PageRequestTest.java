package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.rest.Page;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The pages of a list follow one another without a gap, and a cursor that no page gave is refused. */
class PageRequestTest {
    private static PageRequest request(String cursor, Integer limit) {
        PageRequest request = new PageRequest();
        request.cursor = Optional.ofNullable(cursor);
        request.limit = limit;
        return request;
    }

    private static Page<String> page(PageRequest request, List<String> all) {
        List<String> rows = all.stream()
                .filter(name -> name.compareTo(request.name()) > 0)
                .limit(request.rows())
                .toList();
        return request.of(rows, Function.identity(), Function.identity());
    }

    @Test
    void pagesFollowOneAnother() {
        List<String> all = List.of("a", "b", "c", "d");
        Page<String> first = page(request(null, 2), all);
        assertEquals(List.of("a", "b"), first.items());
        Page<String> second = page(request(first.next(), 2), all);
        assertEquals(List.of("c", "d"), second.items());
        assertNull(second.next());
    }

    @Test
    void aPositionHasItsParts() {
        Page<String> page = request(null, 1).of(List.of("x y z", "more"), Function.identity(), Function.identity());
        PageRequest next = request(page.next(), null);
        assertEquals(
                List.of("x", "y z"), next.position(2, parts -> List.of(parts)).orElseThrow());
        assertThrows(Problem.class, () -> next.position(4, parts -> parts));
        assertThrows(Problem.class, next::number);
        assertThrows(Problem.class, next::created);
    }

    @Test
    void otherCursorsAndLimitsAreRefused() {
        assertThrows(Problem.class, request("?", null)::name);
        assertThrows(Problem.class, request(null, 0)::rows);
        assertThrows(Problem.class, request(null, Bounds.PAGE + 1)::rows);
        assertEquals(PageRequest.DEFAULT + 1, request(null, null).rows());
    }
}

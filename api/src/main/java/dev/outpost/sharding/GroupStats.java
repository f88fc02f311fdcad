package dev.outpost.sharding;

import java.util.Map;
import java.util.TreeMap;

/**
 * The exchanges among the machines of a group so far, as they were recorded. Immutable.
 *
 * @param collectives how many, by their name, such as {@code all_reduce}
 * @param bytes what the tensors took, by the name of the collective
 * @param fallbacks how many of them gathered what an op without a rule needs whole
 */
public record GroupStats(Map<String, Long> collectives, Map<String, Long> bytes, long fallbacks) {
    public static final GroupStats NOTHING = new GroupStats(Map.of(), Map.of(), 0);

    public GroupStats {
        collectives = Map.copyOf(collectives);
        bytes = Map.copyOf(bytes);
    }

    /** With one exchange more. */
    public GroupStats with(GroupExchange exchange) {
        return new GroupStats(
                added(collectives, exchange.collective(), 1),
                added(bytes, exchange.collective(), exchange.bytes()),
                fallbacks + (exchange.isFallback() ? 1 : 0));
    }

    private static Map<String, Long> added(Map<String, Long> counts, String name, long count) {
        Map<String, Long> more = new TreeMap<>(counts);
        more.merge(name, count, Long::sum);
        return more;
    }

    /** How many exchanges there were. */
    public long exchanges() {
        return collectives.values().stream().mapToLong(count -> count).sum();
    }

    /** The bytes of the tensors of all exchanges. */
    public long totalBytes() {
        return bytes.values().stream().mapToLong(count -> count).sum();
    }
}

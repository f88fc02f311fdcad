package dev.outpost.sharding;

import java.util.Map;
import java.util.TreeMap;

/**
 * The recorded exchanges among the machines of a group so far. Immutable.
 *
 * @param collectives the number of exchanges by collective, such as {@code all_reduce}
 * @param bytes the bytes of the tensors by collective
 * @param fallbacks the number of exchanges that gathered an operand for an op without a rule
 */
public record GroupStats(Map<String, Long> collectives, Map<String, Long> bytes, long fallbacks) {
    public static final GroupStats NOTHING = new GroupStats(Map.of(), Map.of(), 0);

    public GroupStats {
        collectives = Map.copyOf(collectives);
        bytes = Map.copyOf(bytes);
    }

    /** Returns these counters with one exchange more. */
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

    /** Returns the number of exchanges. */
    public long exchanges() {
        return collectives.values().stream().mapToLong(count -> count).sum();
    }

    /** Returns the bytes of the tensors of all exchanges. */
    public long totalBytes() {
        return bytes.values().stream().mapToLong(count -> count).sum();
    }
}

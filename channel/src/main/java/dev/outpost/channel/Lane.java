package dev.outpost.channel;

import dev.outpost.types.MalformedException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The two streams between a client and a machine, and all that tells one from the other. Each keeps its frames apart from
 * the other's, so bulk never delays control. The order is the wire's.
 */
public enum Lane {
    /** Small frames that must be prompt: what was recorded, acknowledgements, faults. */
    CONTROL(16L << 20, false),
    /** Raw tensor data in chunks. */
    BULK(16L << 20, true);

    /** All, by their numbers. */
    public static final List<Lane> ALL = List.of(values());

    private final long windowBytes;
    private final boolean waitsForNetwork;

    Lane(long windowBytes, boolean waitsForNetwork) {
        this.windowBytes = windowBytes;
        this.waitsForNetwork = waitsForNetwork;
    }

    /** The lane's number in frames. */
    public int number() {
        return ordinal();
    }

    /** The lane's name in messages, metrics and profiles. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How many payload bytes may be on their way unacknowledged. */
    public long windowBytes() {
        return windowBytes;
    }

    /**
     * True if payloads wait where they are, uncopied, until the network has room for them. Those of the other lane go out as
     * they come.
     */
    public boolean waitsForNetwork() {
        return waitsForNetwork;
    }

    /** The lane of a number; fails with a {@link MalformedException} where there is none. */
    public static Lane ofNumber(int number) {
        if (number < 0 || number >= ALL.size()) {
            throw new MalformedException("lane " + number + " is unknown");
        }
        return ALL.get(number);
    }

    /** Something for each lane. */
    public static <T> Map<Lane, T> each(Function<Lane, T> make) {
        Map<Lane, T> each = new EnumMap<>(Lane.class);
        ALL.forEach(lane -> each.put(lane, make.apply(lane)));
        return each;
    }
}

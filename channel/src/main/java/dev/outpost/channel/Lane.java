package dev.outpost.channel;

import dev.outpost.types.MalformedException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The two streams of frames between a client and a machine. They are independent, so bulk data never delays control.
 * The order of the constants is the numbering on the wire.
 */
public enum Lane {
    /** Small frames that must arrive quickly: recorded instructions, acknowledgements, faults. */
    CONTROL(16L << 20, false),
    /** Raw tensor data in chunks. */
    BULK(16L << 20, true);

    /** All lanes, in the order of their numbers. */
    public static final List<Lane> ALL = List.of(values());

    private final long windowBytes;
    private final boolean waitsForNetwork;

    Lane(long windowBytes, boolean waitsForNetwork) {
        this.windowBytes = windowBytes;
        this.waitsForNetwork = waitsForNetwork;
    }

    /** Returns the lane's number in frames. */
    public int number() {
        return ordinal();
    }

    /** Returns the lane's name in messages, metrics and profiles. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the maximum number of payload bytes that are sent and not yet acknowledged. */
    public long windowBytes() {
        return windowBytes;
    }

    /**
     * True if payloads stay uncopied in their source until the network has room for them. Payloads of the other lane are sent
     * immediately.
     */
    public boolean waitsForNetwork() {
        return waitsForNetwork;
    }

    /** Returns the lane of a number. Throws {@link MalformedException} if the number is unknown. */
    public static Lane ofNumber(int number) {
        if (number < 0 || number >= ALL.size()) {
            throw new MalformedException("lane " + number + " is unknown");
        }
        return ALL.get(number);
    }

    /** Makes a map with a value for each lane. */
    public static <T> Map<Lane, T> each(Function<Lane, T> make) {
        Map<Lane, T> each = new EnumMap<>(Lane.class);
        ALL.forEach(lane -> each.put(lane, make.apply(lane)));
        return each;
    }
}

package dev.outpost.runtime.peer;

import java.util.HexFormat;
import java.util.Optional;

/**
 * A member's offer to exchange by its device. It travels with the member's address.
 *
 * @param library that all members need to have
 * @param device a name that no other device has; empty where another group has the device
 * @param id by which the members find each other; only the first member's has one
 */
public record DeviceOffer(String library, String device, Optional<byte[]> id) {
    private static final String FIELD = ";";
    private static final String TAKEN = "";
    private static final char LINE = '\n';

    /** A member whose device another group has. */
    public static DeviceOffer taken(String library) {
        return new DeviceOffer(library, TAKEN, Optional.empty());
    }

    boolean isTaken() {
        return device.equals(TAKEN);
    }

    /** An address, and the offer behind it where there is one. */
    public static String joined(String address, Optional<DeviceOffer> offer) {
        return address + offer.map(each -> LINE + each.text()).orElse("");
    }

    private String text() {
        return String.join(
                FIELD, library, device, id.map(HexFormat.of()::formatHex).orElse(""));
    }

    /** What {@link #joined} has taken for the address. */
    public static String address(String joined) {
        int line = joined.indexOf(LINE);
        return line < 0 ? joined : joined.substring(0, line);
    }

    /** The offer behind an address; empty where there is none that can be read. */
    public static Optional<DeviceOffer> of(String joined) {
        int line = joined.indexOf(LINE);
        String[] fields = line < 0 ? new String[0] : joined.substring(line + 1).split(FIELD, -1);
        if (fields.length != 3) {
            return Optional.empty();
        }
        try {
            Optional<byte[]> id = fields[2].isEmpty()
                    ? Optional.empty()
                    : Optional.of(HexFormat.of().parseHex(fields[2]));
            return Optional.of(new DeviceOffer(fields[0], fields[1], id));
        } catch (IllegalArgumentException ignored) {
            return Optional.empty();
        }
    }
}

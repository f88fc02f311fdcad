package dev.outpost.runtime.peer;

import java.util.HexFormat;
import java.util.Optional;

/**
 * A member's offer to exchange between devices. It is sent together with the member's address.
 *
 * @param library the library that all members need
 * @param device a name that no other device has; empty if another group has the device
 * @param id the id by which the members find each other; only the first member's offer has one
 */
public record DeviceOffer(String library, String device, Optional<byte[]> id) {
    private static final String FIELD = ";";
    private static final String TAKEN = "";
    private static final char LINE = '\n';

    /** Returns the offer of a member whose device another group has. */
    public static DeviceOffer taken(String library) {
        return new DeviceOffer(library, TAKEN, Optional.empty());
    }

    boolean isTaken() {
        return device.equals(TAKEN);
    }

    /** Returns an address with the offer appended, if there is one. */
    public static String joined(String address, Optional<DeviceOffer> offer) {
        return address + offer.map(each -> LINE + each.text()).orElse("");
    }

    private String text() {
        return String.join(
                FIELD, library, device, id.map(HexFormat.of()::formatHex).orElse(""));
    }

    /** Returns the address that was passed to {@link #joined}. */
    public static String address(String joined) {
        int line = joined.indexOf(LINE);
        return line < 0 ? joined : joined.substring(0, line);
    }

    /** Returns the offer that follows an address; empty if it is missing or malformed. */
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

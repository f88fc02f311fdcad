package dev.outpost.provider.fleet;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The reference to a machine of a fleet. The caller chooses the id; the fleet makes at most one machine for each id and epoch.
 *
 * @param id 1 to 36 lower-case letters, digits and dashes, such as a UUID; no dash at either end
 * @param epoch counts the attempts at this machine, from 1
 */
public record MachineRef(String id, int epoch) {
    private static final Pattern ID = Pattern.compile("[a-z0-9]([a-z0-9-]{0,34}[a-z0-9])?");
    private static final int LAST_EPOCH = 999_999_999;
    private static final String PREFIX = "outpost-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "([a-z0-9-]{1,36})-([1-9][0-9]{0,8})");

    public MachineRef {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "id: expected 1 to 36 lower-case letters, digits and inner dashes, got \"" + id + "\"");
        }
        if (epoch < 1 || epoch > LAST_EPOCH) {
            throw new IllegalArgumentException("epoch: expected 1 to " + LAST_EPOCH + ", got " + epoch);
        }
    }

    /** Returns the supplier's name for it, a DNS label of at most 55 characters: {@code outpost-ID-EPOCH}. */
    public String name() {
        return PREFIX + id + "-" + epoch;
    }

    /** Parses a supplier's name of a machine; empty if it is not the name of a fleet's machine. */
    public static Optional<MachineRef> parse(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches() && ID.matcher(matcher.group(1)).matches()
                ? Optional.of(new MachineRef(matcher.group(1), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return name();
    }
}
